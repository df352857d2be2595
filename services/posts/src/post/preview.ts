import { graphemesOf, wordBoundary } from '@pulso/platform/text/graphemes';
import { codePointLength } from '@pulso/platform/text/text-rules';

/** Graphemes of a locked post that everyone may read (POST-6), and no more than one in this many. */
const PREVIEW_GRAPHEMES = 100;
const PREVIEW_PART = 2;
/** Marks pile up on a letter without end. The longest emojis have 10 code points: a hundred of them fit. */
const PREVIEW_CODE_POINTS = 1_000;

export interface Preview {
  content: string;
  truncated: boolean;
}

/**
 * The part of a text that viewers without access see: never more than half of it, so that nothing is given away whole. It ends
 * with a word where there is one.
 */
export function previewOf(content: string): Preview {
  /** Where each grapheme ends that may be shown, in code units. */
  const ends: number[] = [];
  let graphemes = 0;
  let codePoints = 0;
  let read = 0;
  for (const { segment, index } of graphemesOf(content)) {
    graphemes += 1;
    codePoints += codePointLength(segment);
    read = index + segment.length;
    if (ends.length < PREVIEW_GRAPHEMES && codePoints <= PREVIEW_CODE_POINTS) ends.push(read);
    if (graphemes === PREVIEW_PART * PREVIEW_GRAPHEMES) break;
  }
  const shown = ends.slice(0, Math.floor(graphemes / PREVIEW_PART));
  const boundary = wordBoundary(content.slice(0, read), shown.at(-1) ?? 0);
  while (shown.length > 0 && (shown.at(-1)! > boundary || endsBlank(content, shown))) shown.pop();
  return { content: content.slice(0, shown.at(-1) ?? 0), truncated: content !== '' };
}

/** Whether the last of these graphemes is white space. */
function endsBlank(content: string, ends: readonly number[]): boolean {
  return content.slice(ends.at(-2) ?? 0, ends.at(-1)).trim() === '';
}
