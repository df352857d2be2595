import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { usePassedDialogs } from '../../components/back-closes.js';
import { useArrivingAt } from '../../components/shortcuts/targets.js';
import { focusOf, positionAt, positionWith, rememberPosition, storePositions } from './page-positions.js';
import type { PagePosition } from './page-positions.js';

/** How long, in ms, a page that is read again may take to reach the length that it had. */
const MAX_RESTORE_MS = 10_000;

/**
 * A new page starts at its top and gets the focus; going back restores the scroll position and the focus, also when the
 * page has to be read again after a reload (UI-52).
 */
export function RouteEffects() {
  const { key, pathname, search } = useLocation();
  const type = useNavigationType();
  const arriving = useArrivingAt() !== undefined;
  usePassedDialogs();
  const lastPath = useRef(pathname);
  // The token of a mailed link is kept nowhere but in its entry of the history (UI-74).
  const entry = `${key} ${pathname}${search.replace(/token=[^&]*/, '')}`;

  useEffect(() => {
    history.scrollRestoration = 'manual';
    window.addEventListener('pagehide', storePositions);
    return () => window.removeEventListener('pagehide', storePositions);
  }, []);

  // In the step that shows the page: later it would take the focus from the position that is restored below.
  useLayoutEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    if (arriving) return;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname, arriving]);

  const first = useRef(true);
  const shown = useRef({ pathname, entry, type });
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { pathname, entry, type };
    // What covered the page was closed by Back.
    const uncovered = before.entry === entry && before.type !== type;
    const position = type === 'POP' && !uncovered ? positionAt(entry) : undefined;
    // A page that notes something in its own address, such as the open tab, stays where it is.
    const stays = uncovered || (type === 'REPLACE' && before.pathname === pathname);
    // A rendered page can be read, and scrolled, before its scripts are there.
    const begun = first.current && window.scrollY > 0;
    first.current = false;
    if (!stays && !begun) window.scrollTo(0, position?.y ?? 0);
    const stop = position && !begun ? restore(position) : undefined;
    const remember = () => rememberPosition(entry, positionWith(document.activeElement));
    const rememberPressed = ({ target }: Event) => rememberPosition(entry, positionWith(target as Element));
    window.addEventListener('scroll', remember, { passive: true });
    // Not focusin: a page that is taken away hands its focus from one entry to the next.
    document.addEventListener('keyup', remember);
    // Before the navigation that a press on a link starts.
    document.addEventListener('click', rememberPressed, true);
    return () => {
      stop?.();
      window.removeEventListener('scroll', remember);
      document.removeEventListener('keyup', remember);
      document.removeEventListener('click', rememberPressed, true);
    };
  }, [entry, pathname, type]);

  return null;
}

/** Goes on restoring while the page grows, until it is done, the user does something, or it takes too long. */
function restore(position: PagePosition): () => void {
  const goOn = () => {
    if (Math.abs(window.scrollY - position.y) > 1) window.scrollTo(0, position.y);
    const there = Math.abs(window.scrollY - position.y) <= 1;
    const wanted = focusOf(position);
    const nothingElse = [document.body, document.getElementById('main')].includes(
      document.activeElement as HTMLElement,
    );
    if (wanted && nothingElse) wanted.focus({ preventScroll: true });
    if (there && (wanted || (position.post === undefined && position.href === undefined))) stop();
  };
  // The page is longer by what has been read meanwhile; at its end the next part of a list is asked for.
  const growth = new ResizeObserver(goOn);
  const timer = setTimeout(() => stop(), MAX_RESTORE_MS);
  // After the page's own effects, which move the focus to it.
  const first = setTimeout(goOn);
  const ends = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
  const stop = () => {
    growth.disconnect();
    clearTimeout(timer);
    clearTimeout(first);
    for (const end of ends) window.removeEventListener(end, stop);
  };
  for (const end of ends) window.addEventListener(end, stop, { passive: true });
  growth.observe(document.body);
  return stop;
}
