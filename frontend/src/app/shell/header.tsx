import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import type { Me } from '../../api/types.js';
import { Avatar } from '../../components/avatar.js';
import { ErrorBoundary } from '../../components/error-boundary.js';
import { lazyComponent } from '../../components/lazy-component.js';
import { PulseMark } from '../../components/pulse-mark.js';
import { useMessages } from '../../i18n/messages.js';
import { expectsSession, useSession } from '../../session/session.js';
import { MobilePanel } from './mobile-panel.js';
import classes from './shell.module.css';
import { ThemeSwitch } from './theme-switch.js';

const UserMenu = lazyComponent(() => import('./user-menu.js').then((module) => module.UserMenu));

/** The navigation bar; under 768 px its entries collapse into a panel (UI-7). */
export function Header({ onShortcuts }: { onShortcuts: () => void }) {
  const { nav } = useMessages();
  const state = useSession();
  const { key } = useLocation();
  const wide = useMediaQuery('(min-width: 768px)', undefined, { getInitialValueInEffect: false });
  const [open, setOpen] = useState(false);
  const user = state.status === 'signed-in' ? state.user : undefined;
  const expected = state.status === 'booting' && expectsSession();
  const guest = !user && !expected;

  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        <Link to={user ? '/feed' : '/'} className={classes.logo} aria-label={nav.home}>
          <PulseMark />
          <span>Pulso</span>
        </Link>
        {wide && (
          <nav className={classes.nav} aria-label={nav.main}>
            <NavLink to="/feed" className={classes.link}>
              {nav.feed}
            </NavLink>
            <NavLink to="/coaches" className={classes.link}>
              {nav.coaches}
            </NavLink>
            <span className={classes.spacer} />
            <ThemeSwitch />
            {guest && (
              <>
                <Link to="/login" className={classes.link}>
                  {nav.login}
                </Link>
                <Button component={Link} to="/signup" variant="default">
                  {nav.signUp}
                </Button>
              </>
            )}
            {expected && <span className={classes.account} />}
            {user && (
              <ErrorBoundary resetKey={key} fallback={<ProfileLink user={user} />}>
                <Suspense fallback={<span className={classes.account} />}>
                  <UserMenu user={user} onShortcuts={onShortcuts} />
                </Suspense>
              </ErrorBoundary>
            )}
          </nav>
        )}
        {!wide && (
          <>
            <span className={classes.spacer} />
            <ThemeSwitch />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={44}
              aria-label={open ? nav.closeMenu : nav.openMenu}
              aria-expanded={open}
              aria-controls="mobile-panel"
              onClick={() => setOpen(!open)}
            >
              {open ? <IconX aria-hidden /> : <IconMenu2 aria-hidden />}
            </ActionIcon>
          </>
        )}
      </div>
      {!wide && open && (
        <MobilePanel user={user} guest={guest} onShortcuts={onShortcuts} onClose={() => setOpen(false)} />
      )}
    </header>
  );
}

/** Shown when the menu's code cannot be loaded. */
function ProfileLink({ user }: { user: Me }) {
  const { nav } = useMessages();
  return (
    <Link to="/profile" className={classes.account} aria-label={nav.profile}>
      <Avatar user={user} size={36} />
    </Link>
  );
}
