import { useId, useMemo, useState } from 'react';
import type { FocusEvent } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../i18n/texts.js';
import { findLinks, shownAddress } from './links.js';
import type { Piece } from './links.js';
import classes from './written-text.module.css';

/** Reduces several blank lines to one, so that a post cannot push others off the screen. */
export const collapseBlankLines = (text: string): string => text.replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n');

/** Longer texts are folded if `foldable`. */
const FOLDED_FROM = { characters: 900, lines: 16 };

const isLong = (text: string): boolean =>
  text.length > FOLDED_FROM.characters || text.split('\n').length > FOLDED_FROM.lines;

interface WrittenTextProps {
  text: string;
  foldable?: boolean;
  className?: string;
  /** By default one of its own. */
  id?: string;
}

function WrittenPiece({ piece: { text, href, to } }: { piece: Piece }) {
  if (href) {
    return (
      // Of its own direction: in a text from right to left its signs would change their places.
      <a
        className="text-link"
        dir="ltr"
        href={href}
        title={href}
        target="_blank"
        rel="nofollow noopener noreferrer"
      >
        {shownAddress(text)}
      </a>
    );
  }
  return to ? (
    <Link className="text-link" dir="ltr" to={to}>
      {text}
    </Link>
  ) : (
    text
  );
}

/** Shows a user's text with its line breaks, and web addresses and mentions as links (UI-44). */
export function WrittenText({ text, foldable = false, className = '', id: givenId }: WrittenTextProps) {
  const { app } = useTexts();
  const [unfolded, setUnfolded] = useState(false);
  const ownId = useId();
  const id = givenId ?? ownId;
  const shown = useMemo(() => collapseBlankLines(text), [text]);
  const pieces = useMemo(() => findLinks(shown), [shown]);
  const fold = foldable && isLong(shown);

  // Unfold when the keyboard focuses a link that is folded away.
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    if (event.target.matches(':focus-visible')) setUnfolded(true);
  };
  return (
    <>
      <p
        id={id}
        dir="auto"
        className={`${classes.text} ${fold && !unfolded ? classes.folded : ''} ${className}`}
        onFocus={fold ? onFocus : undefined}
      >
        {pieces.map((piece, index) => (
          <WrittenPiece key={index} piece={piece} />
        ))}
      </p>
      {fold && (
        <button
          type="button"
          className={classes.unfold}
          aria-expanded={unfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!unfolded)}
        >
          {unfolded ? app.showLess : app.showMore}
        </button>
      )}
    </>
  );
}
