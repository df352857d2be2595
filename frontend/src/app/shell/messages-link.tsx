import { NavLink } from 'react-router-dom';
import { useBadges } from '../../client/live/badges.js';
import { UnreadBadge } from '../../components/unread-badge.js';
import { useTexts } from '../../i18n/texts.js';
import classes from './shell.module.css';

/** The navigation's entry of the messages, with the number of unread ones (NOTIF-7). */
export function MessagesLink() {
  const { nav } = useTexts();
  const { messages } = useBadges();
  return (
    <NavLink to="/messages" className={`${classes.link} ${classes.counted}`}>
      {nav.messages}
      <UnreadBadge count={messages} />
    </NavLink>
  );
}
