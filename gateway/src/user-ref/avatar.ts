import { GLYPHS } from './avatar-glyphs.js';

const LETTER = /[\p{L}\p{N}]/u;
/** For names without a letter or digit: a figure instead. */
const NO_LETTER = '-';

const urls = new Map<string, string>();

/** URL of the initials image of `name` (MEDIA-7: first letter, 96 px). */
export function avatarUrl(name: string): string {
  const letter = initialOf(name);
  let url = urls.get(letter);
  if (url === undefined) {
    url = `/api/avatars/${encodeURIComponent(letter)}.svg`;
    // Bounds the memory that many rare letters take.
    if (urls.size > 1000) urls.clear();
    urls.set(letter, url);
  }
  return url;
}

function initialOf(name: string): string {
  const letter = LETTER.exec(name)?.[0];
  if (letter === undefined) return NO_LETTER;
  // Upper case may be two letters (ß → SS).
  return String.fromCodePoint(letter.toUpperCase().codePointAt(0)!);
}

/** Whether an avatar of that name is one of ours: a single letter or digit in the case we write it in. */
export function isAvatarLetter(letter: string): boolean {
  return letter === NO_LETTER || ([...letter].length === 1 && initialOf(letter) === letter);
}

/** Fill and ink of the light theme's paper tints; each pair has a contrast of at least 7:1. */
export const TINTS = [
  ['#fbd3cf', '#59302d'],
  ['#f8d6c4', '#56331f'],
  ['#f0dabe', '#4f3815'],
  ['#e5dfbe', '#443e14'],
  ['#d2e5c8', '#2f4423'],
  ['#c3e8d7', '#184735'],
  ['#bce8ea', '#034649'],
  ['#c4e3f9', '#1c4159'],
  ['#d7dbfc', '#37395c'],
  ['#f0d4ec', '#4f314c'],
] as const;

/**
 * The 96 px initials image, in the light theme's colours: a picture cannot follow the application's theme switch. The
 * application draws initials itself (frontend/src/components/avatar.tsx).
 */
export function avatarSvg(letter: string): string {
  const [fill, ink] = TINTS[letter.codePointAt(0)! % TINTS.length]!;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96"><rect width="96" height="96" fill="${fill}"/><g fill="${ink}">${inside(letter)}</g></svg>`;
}

function inside(letter: string): string {
  if (letter === NO_LETTER) return '<circle cx="48" cy="38" r="16"/><path d="M16 88a32 28 0 0 1 64 0z"/>';
  const outline = GLYPHS.get(letter);
  if (outline) return `<path d="${outline}"/>`;
  return `<text x="48" y="48" dy=".35em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="44" font-weight="600">${letter}</text>`;
}
