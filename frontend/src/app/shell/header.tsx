import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMenu2, IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, NavLink } from 'react-router-dom';
import { PulseMark } from '../../components/pulse-mark.js';
import { useTexts } from '../../i18n/texts.js';
import { expectsSession, useSession } from '../../session/session.js';
import { Bell } from './bell.js';
import { MessagesLink } from './messages-link.js';
import { MobilePanel } from './mobile-panel.js';
import classes from './shell.module.css';
import { ThemeSwitch } from './theme-switch.js';
import { UserMenu } from './user-menu.js';

interface HeaderProps {
  onShortcuts: () => void;
  onSearch: () => void;
}

/** The navigation bar; under 768 px its entries collapse into a panel (UI-7). */
export function Header({ onShortcuts, onSearch }: HeaderProps) {
  const { nav } = useTexts();
  const state = useSession();
  const wide = useMediaQuery('(min-width: 768px)', undefined, { getInitialValueInEffect: false });
  const [open, setOpen] = useState(false);
  const user = state.status === 'signed-in' ? state.user : undefined;
  const expected = state.status === 'booting' && expectsSession();
  const guest = !user && !expected;
  // Its place is kept while the session is restored.
  const search = user ? (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label={nav.search}
      title={nav.search}
      onClick={() => {
        setOpen(false);
        onSearch();
      }}
    >
      <IconSearch size={22} aria-hidden />
    </ActionIcon>
  ) : (
    expected && <span className={classes.account} />
  );

  const bell = user && <Bell onOpen={() => setOpen(false)} />;

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
            {!guest && <MessagesLink />}
            <span className={classes.spacer} />
            {guest && (
              <>
                <ThemeSwitch />
                <Link to="/login" className={classes.link}>
                  {nav.login}
                </Link>
                <Button component={Link} to="/signup" variant="default">
                  {nav.signUp}
                </Button>
              </>
            )}
            {search}
            {expected && (
              <>
                <span className={classes.account} />
                <span className={classes.account} />
              </>
            )}
            {bell}
            {user && <UserMenu user={user} onShortcuts={onShortcuts} />}
          </nav>
        )}
        {!wide && (
          <>
            <span className={classes.spacer} />
            {search}
            {expected && <span className={classes.account} />}
            {bell}
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
