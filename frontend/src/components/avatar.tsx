import { useState } from 'react';
import type { CSSProperties } from 'react';
import type { UserRef } from '../api/types.js';
import classes from './avatar.module.css';

interface AvatarProps {
  /** Without a picture: their initial. */
  user: { name: string; profileImage: UserRef['profileImage'] | null };
  /** px */
  size?: number;
}

/** The gateway's initials image (MEDIA-7); `-` stands for a name without a letter. */
const INITIALS = /^\/api\/avatars\/(.+)\.svg$/;

/** What of a name is its initial, as the gateway picks it. */
const LETTER = /[\p{L}\p{N}]/u;

/** Hues of the paper tints, in degrees; the gateway picks by the same letter from as many. */
const HUES = [25, 50, 75, 100, 135, 165, 200, 240, 280, 330];

/**
 * A user's picture, or their initial, also where the picture does not load (MEDIA-22). The initial is drawn here instead of loading the gateway's image: it follows the
 * theme switch, is set in the page's type, and asks for nothing. Decorative: the name is always next to it.
 */
export function Avatar({ user, size = 40 }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  const { profileImage } = user;
  const encoded = INITIALS.exec(profileImage ?? '')?.[1];
  const style = { '--size': `${size}px` } as CSSProperties;
  if (profileImage && encoded === undefined && profileImage !== broken) {
    return (
      <img
        className={classes.avatar}
        style={style}
        src={profileImage}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(profileImage)}
      />
    );
  }
  const letter = encoded === undefined ? initialOf(user.name) : decodeURIComponent(encoded);
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

/** Upper case may be two letters (ß → SS). */
const initialOf = (name: string): string =>
  String.fromCodePoint((LETTER.exec(name)?.[0] ?? '-').toUpperCase().codePointAt(0)!);
