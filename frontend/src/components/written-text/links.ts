/** A piece of a text: plain, or the address of a web page. */
export interface Piece {
  text: string;
  href?: string;
}

/** Up to white space, a quote, an angle bracket, or a control or format character, which could make it read otherwise. */
const ADDRESS = /(?<![\p{L}\p{N}_])https?:\/\/[^\s<>"«»“”\p{Cc}\p{Cf}]+/giu;
/** What ends a sentence or a remark around an address, rather than the address. */
const TRAILING = /[.,;:!?…'’*_~)\]}]/u;
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Without the punctuation after it; a bracket stays where the address opened it ("…/Crunch_(exercise)"). */
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

/** Where an http or https address leads; undefined for what is none, and where a name before the host hides whose it is. */
function hrefOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username || url.password || !url.hostname.includes('.')) return undefined;
  return url.href;
}

/** A text cut into plain pieces and the http and https addresses in it. Together they are the text again. */
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
