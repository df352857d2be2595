import { useEffect, useRef } from 'react';
import type { MouseEvent } from 'react';
import { useLocation } from 'react-router-dom';
import type { Me } from '../../api/types.js';
import { BackCloses } from '../../components/back-closes.js';
import { typedKey } from '../../components/shortcuts/typed-key.js';
import { useTexts } from '../../i18n/texts.js';
import { DestinationLink } from './destination-link.js';
import { destinationsAt, viewerOf } from './destinations.js';
import classes from './shell.module.css';
import { useTheme } from './theme-switch.js';
import { useLogOut } from '../../shared/use-log-out.js';

interface MobilePanelProps {
  user: Me | undefined;
  guest: boolean;
  onShortcuts: () => void;
  onClose: () => void;
}

const opener = () => document.querySelector<HTMLElement>('[aria-controls=mobile-panel]');

/** The navigation's entries under 768 px. Closes when an entry is chosen, by Escape, by Back and by a press elsewhere. */
export function MobilePanel({ user, guest, onShortcuts, onClose }: MobilePanelProps) {
  const { nav, shortcuts } = useTexts();
  const logOut = useLogOut();
  const theme = useTheme();
  const { key } = useLocation();
  const openedAt = useRef(key);
  const panel = useRef<HTMLElement>(null);

  useEffect(() => {
    if (key !== openedAt.current) onClose();
  }, [key, onClose]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (typedKey(event) === 'Escape') onClose();
    };
    // Not in the header: its button closes the panel, too.
    const onPress = (event: Event) => {
      if (panel.current?.parentElement?.contains(event.target as Node)) return;
      // The press only closes: what lies beside the panel is not meant.
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('click', onPress, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('click', onPress, true);
    };
  }, [onClose]);
  // At once: the page that was chosen may take a while.
  const onClick = ({ target }: MouseEvent) => {
    if ((target as Element).closest('a')) onClose();
  };

  const themeEntry = (
    <button type="button" className={classes.link} onClick={theme.next}>
      {theme.name}
    </button>
  );
  return (
    <nav ref={panel} id="mobile-panel" onClick={onClick} className={classes.panel} aria-label={nav.main}>
      <BackCloses onBack={onClose} />
      {destinationsAt('panel', user ? viewerOf(user) : guest ? 'guest' : undefined).map((destination) => (
        // In place of the panel's own entry of the history.
        <DestinationLink key={destination.id} {...destination} replace />
      ))}
      {(user || guest) && themeEntry}
      {user && (
        <>
          <button
            type="button"
            className={`${classes.link} ${classes.keyboard}`}
            onClick={() => {
              onClose();
              onShortcuts();
            }}
          >
            {shortcuts.open}
          </button>
          <button
            type="button"
            className={classes.link}
            onClick={() => {
              // It would take the first press in what asks for one beside it.
              onClose();
              void logOut(opener);
            }}
          >
            {nav.logout}
          </button>
        </>
      )}
    </nav>
  );
}
