import { useId, useState } from 'react';
import { useMessages } from '../../../i18n/messages.js';
import classes from './post-card.module.css';

/** Beyond this a text in a list is folded. */
const LONG = { characters: 900, lines: 16 };

const isLong = (text: string): boolean =>
  text.length > LONG.characters || text.split('\n').length > LONG.lines;

/** A person's words as they were written, line breaks and all. */
export function PostText({ text, foldable }: { text: string; foldable: boolean }) {
  const { post } = useMessages();
  const [unfolded, setUnfolded] = useState(false);
  const id = useId();
  const fold = foldable && isLong(text);
  return (
    <>
      <p id={id} dir="auto" className={`${classes.text} ${fold && !unfolded ? classes.folded : ''}`}>
        {text}
      </p>
      {fold && (
        <button
          type="button"
          className={classes.unfold}
          aria-expanded={unfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!unfolded)}
        >
          {unfolded ? post.showLess : post.showMore}
        </button>
      )}
    </>
  );
}
