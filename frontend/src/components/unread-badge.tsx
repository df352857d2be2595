import { useTexts } from '../i18n/texts.js';
import classes from './unread-badge.module.css';

interface UnreadBadgeProps {
  count: number;
  className?: string;
}

/** How many are unread, "9+" above 9 (NOTIF-7); nothing where there are none. Screen readers are told the number. */
export function UnreadBadge({ count, className = '' }: UnreadBadgeProps) {
  const { nav } = useTexts();
  if (count === 0) return null;
  return (
    <span className={`${classes.badge} ${className}`}>
      <span aria-hidden>{nav.unread(count)}</span>
      <span className="visually-hidden">{nav.unreadNamed(count)}</span>
    </span>
  );
}
