import { NavLink } from 'react-router-dom';
import { useBadges } from '../../server/live/badges.js';
import { UnreadBadge } from '../../components/unread-badge.js';
import { useTexts } from '../../i18n/texts.js';
import type { Destination } from './destinations.js';
import classes from './shell.module.css';

/** A destination as a word, with what is unread there (NOTIF-7). */
export function DestinationLink({
  to,
  text,
  badge,
  alone,
  replace = false,
}: Destination & { replace?: boolean }) {
  const { nav } = useTexts();
  const badges = useBadges();
  return (
    <NavLink
      to={to}
      end={alone}
      replace={replace}
      className={badge ? `${classes.link} ${classes.counted}` : classes.link}
    >
      {nav[text]}
      {badge && <UnreadBadge count={badges[badge]} />}
    </NavLink>
  );
}
