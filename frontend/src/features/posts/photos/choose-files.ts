import { LIMITS } from '../../../api/limits.js';
import { checkImage } from '../../../server/images/check-image.js';
import type { ImageRefusal } from '../../../server/images/check-image.js';

/** What is wrong with a choice of files. `n` is a file's position in the choice, from 1. */
export type ChoiceProblem =
  | { kind: 'none' }
  | { kind: 'file'; n: number; refusal: ImageRefusal }
  | { kind: 'too-many' };

/**
 * Which of the chosen files become photos, beside those that are there already: all good ones, as far as a post has room
 * (MEDIA-21). The others are told.
 */
export function chooseFiles<F extends Pick<File, 'name' | 'type' | 'size'>>(
  files: readonly F[],
  present: number,
): { taken: F[]; problems: ChoiceProblem[] } {
  if (files.length === 0) return { taken: [], problems: [{ kind: 'none' }] };
  const problems: ChoiceProblem[] = [];
  const good = files.filter((file, index) => {
    const refusal = checkImage(file);
    if (refusal) problems.push({ kind: 'file', n: index + 1, refusal });
    return refusal === undefined;
  });
  const taken = good.slice(0, Math.max(0, LIMITS.postImages - present));
  if (taken.length < good.length) problems.push({ kind: 'too-many' });
  return { taken, problems };
}
