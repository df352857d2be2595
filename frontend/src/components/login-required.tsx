import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useTexts } from '../i18n/texts.js';
import { useCurrentUser } from '../server/session/session.js';
import { RETURNING, forgetWayBack, pendingActionAt, rememberWayBack } from '../server/session/way-back.js';
import { notify } from './feedback/feedback-store.js';

function useHere(): string {
  const { pathname, search } = useLocation();
  return pathname + search;
}

/**
 * Asks a visitor to log in (UI-34), with the ways to do so. The login leads back here, where `action` is then done by
 * `usePendingAction`.
 */
export function useAskToLogIn(): (message: string, action?: string) => void {
  const { app, nav } = useTexts();
  const here = useHere();
  return (message, action) =>
    notify({
      type: 'info',
      title: app.loginRequired,
      message,
      actions: (close) => {
        const leave = () => {
          rememberWayBack(here, action);
          close();
        };
        return (
          <>
            <Button component={Link} to="/signup" state={RETURNING} variant="default" onClick={leave}>
              {nav.signUp}
            </Button>
            <Button component={Link} to="/login" state={RETURNING} data-autofocus onClick={leave}>
              {nav.login}
            </Button>
          </>
        );
      },
    });
}

/** For a link to the login or the sign-up: it leads back to this page. */
export function useWayBack() {
  const here = useHere();
  return { state: RETURNING, onClick: () => rememberWayBack(here) };
}

interface LoginLinkProps {
  to?: '/login' | '/signup';
  className?: string;
  children: ReactNode;
}

/** A link to the login that leads back to this page. */
export function LoginLink({ to = '/login', className, children }: LoginLinkProps) {
  const wayBack = useWayBack();
  return (
    <Link to={to} className={`text-link ${className ?? ''}`} {...wayBack}>
      {children}
    </Link>
  );
}

/** Whether, at first, one of the acts that begin with `acts` is still to be done here: then what it is about has to be shown. */
export function useHasPendingAction(acts: string): boolean {
  const here = useHere();
  const signedIn = useCurrentUser() !== undefined;
  const [is] = useState(() => signedIn && pendingActionAt(here)?.startsWith(acts) === true);
  return is;
}

/**
 * Does what a visitor pressed before the login, once, when they are back where they pressed it, and leads to `target`,
 * which can be focused.
 */
export function usePendingAction(act: string, run: () => void, target?: RefObject<HTMLElement | null>): void {
  const here = useHere();
  const signedIn = useCurrentUser() !== undefined;
  const perform = useEffectEvent(run);
  useEffect(() => {
    if (!signedIn || pendingActionAt(here) !== act) return;
    // After what was read as a visitor has been dropped, which replaces this component.
    const timer = setTimeout(() => {
      // Another control for the same, elsewhere on the page, may have done it.
      if (pendingActionAt(here) !== act) return;
      forgetWayBack();
      perform();
      target?.current?.scrollIntoView({ block: 'nearest' });
      target?.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [act, here, signedIn, target]);
}
