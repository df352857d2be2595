/** A piece of a text: plain, or a web address. */
export interface Piece {
  text: string;
  href?: string;
}

/** An address ends at white space, quotes, angle brackets, and at control and format characters. */
const ADDRESS = /(?<![\p{L}\p{N}_])https?:\/\/[^\s<>"«»“”\p{Cc}\p{Cf}]+/giu;
/** Punctuation after an address that belongs to the sentence. */
const TRAILING = /[.,;:!?…'’*_~)\]}]/u;
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Removes punctuation at the end; a bracket stays if the address contains the opening one ("…/Crunch_(exercise)"). */
function withoutTrailing(address: string): string {
  const counts = new Map<string, number>();
  for (const character of address) counts.set(character, (counts.get(character) ?? 0) + 1);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1]!;
    if (!TRAILING.test(last)) break;
    const closing = counts.get(last) ?? 0;
    const opening = OPENING[last];
    if (opening && (counts.get(opening) ?? 0) >= closing) break;
    counts.set(last, closing - 1);
  }
  return address.slice(0, end);
}

/** The URL of an http or https address; undefined if it is invalid or has credentials, which hide the real host. */
function hrefOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username || url.password || !url.hostname.includes('.')) return undefined;
  return url.href;
}

/** Splits a text into plain pieces and web addresses. Joined, the pieces are the text. */
export function findLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = withoutTrailing(match);
    const href = hrefOf(address);
    if (!href) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: address, href });
    end = index + address.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
