import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import type { Me } from '../../api/types.js';
import { useMessages } from '../../i18n/messages.js';
import classes from './shell.module.css';
import { useLogOut } from './use-log-out.js';

interface MobilePanelProps {
  user: Me | undefined;
  guest: boolean;
  onShortcuts: () => void;
  onClose: () => void;
}

/** The navigation's entries under 768 px. Closes when an entry is chosen, and by Escape. */
export function MobilePanel({ user, guest, onShortcuts, onClose }: MobilePanelProps) {
  const { nav, shortcuts } = useMessages();
  const logOut = useLogOut();
  const { key } = useLocation();
  const openedAt = useRef(key);

  useEffect(() => {
    if (key !== openedAt.current) onClose();
  }, [key, onClose]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onClose]);

  return (
    <nav id="mobile-panel" className={classes.panel} aria-label={nav.main}>
      <NavLink to="/feed" className={classes.link}>
        {nav.feed}
      </NavLink>
      <NavLink to="/coaches" className={classes.link}>
        {nav.coaches}
      </NavLink>
      {user && (
        <>
          <NavLink to="/profile" end className={classes.link}>
            {nav.profile}
          </NavLink>
          <button
            type="button"
            className={classes.link}
            onClick={() => {
              onClose();
              onShortcuts();
            }}
          >
            {shortcuts.open}
          </button>
          <button type="button" className={classes.link} onClick={() => void logOut()}>
            {nav.logout}
          </button>
        </>
      )}
      {guest && (
        <>
          <NavLink to="/login" className={classes.link}>
            {nav.login}
          </NavLink>
          <NavLink to="/signup" className={classes.link}>
            {nav.signUp}
          </NavLink>
        </>
      )}
    </nav>
  );
}
