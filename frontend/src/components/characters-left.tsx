import { useState } from 'react';
import { useTexts } from '../i18n/texts.js';
import { codePoints } from '../validation/text.js';
import classes from './characters-left.module.css';

/** From this share of the limit on, what is left is shown. */
const SHOWN_FROM_SHARE = 0.8;
/** Screen readers announce it when as few characters as these are left. */
const ANNOUNCED_STEPS = [0, 10, 20, 50, 100, 500];

/** The step that has been reached: -1 beyond the limit, undefined while it is far. */
function stepOf(left: number, limit: number): number | undefined {
  if (left < 0) return -1;
  const begin = limit - Math.ceil(limit * SHOWN_FROM_SHARE);
  return left > begin ? undefined : Math.min(ANNOUNCED_STEPS.find((step) => left <= step) ?? begin, begin);
}

interface CharactersLeftProps {
  text: string;
  /** The most code points that the trimmed text may have. */
  limit: number;
}

/** Under a field, near the end of its limit: how many characters are left, or are too many (UI-58). */
export function CharactersLeft({ text, limit }: CharactersLeftProps) {
  const { validation } = useTexts();
  const left = limit - codePoints(text);
  const step = stepOf(left, limit);
  // What is announced changes with the steps alone: a screen reader would interrupt whoever types with each number.
  const [announced, setAnnounced] = useState({ step, left });
  if (announced.step !== step) setAnnounced({ step, left });

  return (
    <>
      {step !== undefined && (
        <p aria-hidden className={classes.left} data-over={left < 0 || undefined}>
          {left < 0 ? validation.over(-left) : validation.left(left)}
        </p>
      )}
      <span role="status" className="visually-hidden">
        {announced.step !== undefined &&
          (announced.left < 0
            ? validation.charactersOver(-announced.left)
            : validation.charactersLeft(announced.left))}
      </span>
    </>
  );
}
