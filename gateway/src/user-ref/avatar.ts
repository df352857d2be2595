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

// White text on each of them has a contrast of at least 4.5:1.
const COLOURS = ['#b3261e', '#8a4b08', '#5b6300', '#1a6b37', '#00687a', '#1b5fab', '#5b4bb5', '#9b2f7f'];

/** The 96 px initials image. */
export function avatarSvg(letter: string): string {
  const colour = COLOURS[letter.codePointAt(0)! % COLOURS.length];
  const inside =
    letter === NO_LETTER
      ? '<circle cx="48" cy="38" r="16" fill="#fff"/><path d="M16 88a32 28 0 0 1 64 0z" fill="#fff"/>'
      : `<text x="48" y="48" dy=".35em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="44" font-weight="600" fill="#fff">${letter}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96"><rect width="96" height="96" fill="${colour}"/>${inside}</svg>`;
}
