import { ActionIcon, Button } from '@mantine/core';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { PulseMark } from '../../components/pulse-mark.js';
import { useKnownMedia } from '../../components/use-media.js';
import { useTexts } from '../../i18n/texts.js';
import { expectsSession, useSession } from '../../server/session/session.js';
import { DestinationLink } from './destination-link.js';
import { destinationsAt, viewerOf } from './destinations.js';
import { useMembers } from './members-code.js';
import { MobilePanel } from './mobile-panel.js';
import classes from './shell.module.css';
import { ThemeSwitch } from './theme-switch.js';

interface HeaderProps {
  onShortcuts: () => void;
  onSearch: () => void;
}

/** The navigation bar; under 768 px its entries collapse into a panel (UI-7). */
export function Header({ onShortcuts, onSearch }: HeaderProps) {
  const { nav } = useTexts();
  const state = useSession();
  const members = useMembers();
  // Unknown in what the server renders: then both forms are there, and the style sheet shows one.
  const wide = useKnownMedia('(min-width: 768px)');
  const [open, setOpen] = useState(false);
  const user = state.status === 'signed-in' ? state.user : undefined;
  const expected = state.status === 'booting' && expectsSession();
  const guest = !user && !expected;
  const entries = destinationsAt('header', guest ? 'guest' : user ? viewerOf(user) : 'member');

  // Their room is kept while the session is restored, and until their code is there.
  const placeholders = (wide ? ['search', 'bell', 'menu'] : ['search', 'bell']).map((id) => (
    <span key={id} className={classes.account} />
  ));
  const tools =
    user && members ? (
      <members.HeaderTools
        user={user}
        wide={wide === true}
        onSearch={() => {
          setOpen(false);
          onSearch();
        }}
        onBell={() => setOpen(false)}
        onShortcuts={onShortcuts}
      />
    ) : (
      !guest && placeholders
    );

  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        <Link to={user ? '/feed' : '/'} className={classes.logo} aria-label={nav.home}>
          <PulseMark />
          <span>Pulso</span>
        </Link>
        {wide !== false && (
          <nav className={classes.nav} aria-label={nav.main}>
            {entries
              .filter(({ audience }) => audience !== 'guests')
              .map((destination) => (
                <DestinationLink key={destination.id} {...destination} />
              ))}
            <span className={classes.spacer} />
            {guest && <ThemeSwitch />}
            {entries
              .filter(({ audience }) => audience === 'guests')
              .map(({ id, to, text }) =>
                id === 'signUp' ? (
                  <Button key={id} component={Link} to={to} variant="default">
                    {nav[text]}
                  </Button>
                ) : (
                  <Link key={id} to={to} className={classes.link}>
                    {nav[text]}
                  </Link>
                ),
              )}
            {tools}
          </nav>
        )}
        {wide !== true && (
          <span className={classes.narrow}>
            {tools}
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
          </span>
        )}
      </div>
      {wide === false && open && (
        <MobilePanel user={user} guest={guest} onShortcuts={onShortcuts} onClose={() => setOpen(false)} />
      )}
    </header>
  );
}
