import type { UserRef } from '../api/types.js';
import classes from './avatar.module.css';

interface AvatarProps {
  user: Pick<UserRef, 'name' | 'profileImage'>;
  size?: number;
}

/** Decorative: the name is always next to it. */
export function Avatar({ user, size = 44 }: AvatarProps) {
  return (
    <img
      className={classes.avatar}
      src={user.profileImage}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  );
}
