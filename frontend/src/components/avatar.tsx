import type { CSSProperties } from 'react';
import type { UserRef } from '../api/types.js';
import classes from './avatar.module.css';

interface AvatarProps {
  user: Pick<UserRef, 'name' | 'profileImage'>;
  /** px */
  size?: number;
}

/** The gateway's initials image (MEDIA-7); `-` stands for a name without a letter. */
const INITIALS = /^\/api\/avatars\/(.+)\.svg$/;

/** Hues of the paper tints, in degrees; the gateway picks by the same letter from as many. */
const HUES = [25, 50, 75, 100, 135, 165, 200, 240, 280, 330];

/**
 * A user's picture, or their initial. The initial is drawn here instead of loading the gateway's image: it follows the
 * theme switch, is set in the page's type, and asks for nothing. Decorative: the name is always next to it.
 */
export function Avatar({ user, size = 40 }: AvatarProps) {
  const encoded = INITIALS.exec(user.profileImage)?.[1];
  const style = { '--size': `${size}px` } as CSSProperties;
  if (encoded === undefined) {
    return (
      <img
        className={classes.avatar}
        style={style}
        src={user.profileImage}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
      />
    );
  }
  const letter = decodeURIComponent(encoded);
  const hue = HUES[letter.codePointAt(0)! % HUES.length];
  return (
    <span
      className={`${classes.avatar} ${classes.initial}`}
      style={{ ...style, '--hue': hue } as CSSProperties}
      data-letter={letter === '-' ? undefined : letter}
      aria-hidden
    >
      {letter === '-' && (
        <svg viewBox="0 0 96 96" fill="currentColor">
          <circle cx="48" cy="38" r="16" />
          <path d="M16 88a32 28 0 0 1 64 0z" />
        </svg>
      )}
    </span>
  );
}
