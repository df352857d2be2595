import { IconHome, IconMessageCircle, IconPlus, IconUsers } from '@tabler/icons-react';
import { NavLink } from 'react-router-dom';
import type { Me } from '../../api/types.js';
import { useBadges } from '../../client/live/badges.js';
import { Avatar } from '../../components/avatar.js';
import { PUBLISHER, useGoTo } from '../../components/shortcuts/destinations.js';
import { UnreadBadge } from '../../components/unread-badge.js';
import { useTexts } from '../../i18n/texts.js';
import classes from './shell.module.css';

/** The places that a phone's user goes to most, within reach of the thumb (UI-49). */
export function BottomBar({ viewer }: { viewer: Me }) {
  const { nav } = useTexts();
  const { messages } = useBadges();
  const goTo = useGoTo();
  return (
    <nav className={classes.bottomBar} aria-label={nav.quick}>
      <NavLink to="/feed" className={classes.place}>
        <IconHome size={24} aria-hidden />
        {nav.feed}
      </NavLink>
      <NavLink to="/coaches" end className={classes.place}>
        <IconUsers size={24} aria-hidden />
        {nav.coaches}
      </NavLink>
      <button type="button" className={classes.place} onClick={() => goTo(PUBLISHER)}>
        <IconPlus size={24} aria-hidden />
        {nav.newPost}
      </button>
      <NavLink to="/messages" end className={classes.place}>
        <span className={classes.placeIcon}>
          <IconMessageCircle size={24} aria-hidden />
          <UnreadBadge count={messages} className={classes.placeBadge} />
        </span>
        {nav.messages}
      </NavLink>
      <NavLink to="/profile" end className={classes.place}>
        <span className={classes.face}>
          <Avatar user={viewer} size={24} />
        </span>
        {nav.me}
      </NavLink>
    </nav>
  );
}
