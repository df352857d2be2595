/** A piece of a text: plain, a web address (`href`), or a mention, with the path of the person's profile (`to`). */
export interface Piece {
  text: string;
  href?: string;
  to?: string;
}

/** An address ends at white space, quotes, angle brackets, and at control and format characters. */
const ADDRESS = /(?<![\p{L}\p{N}_])[Hh][Tt]{2}[Pp][Ss]?:\/\/[^\s<>"«»“”\p{Cc}\p{Cf}]+/u;
/**
 * "@" and a username (PEOPLE-6), not within a word, an e-mail address or an address without scheme, nor before a domain or
 * another "@".
 */
const MENTION =
  /(?<![\p{L}\p{N}\p{M}_@/=+-])@([A-Za-z0-9][A-Za-z0-9-]{1,28}[A-Za-z0-9])(?!-*[\p{L}\p{N}\p{M}_@]|\.[\p{L}\p{N}])/u;
/** Not without regard to case: that would let "ſ" and the Kelvin sign pass for letters of usernames. */
const LINK = new RegExp(`${ADDRESS.source}|${MENTION.source}`, 'gu');

/** First segments of paths, where `/{name}` is or will be a page or a file: nobody's username (PEOPLE-8). */
const NO_USERNAMES = new Set(
  (
    'api assets coach coaches dashboard feed forgot-password login media messages notifications post profile ' +
    'reset-password search settings signup subscriptions unsubscribe verify-email'
  ).split(' '),
);
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
function urlOf(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username || url.password || !url.hostname.includes('.')) return undefined;
  return url;
}

const SHOWN = 40;

/** How an address is shown: without its scheme, and cut where it is long; its link and title have all of it. */
export function shownAddress(address: string): string {
  const characters = [...address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')];
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN - 1).join('')}…` : characters.join('');
}

/**
 * The address as it is written, but where the link leads to another host than is written, that one: look-alikes of other
 * alphabets, fullwidth dots, escapes.
 */
function shownAs(address: string, url: URL): string {
  const written = /^https?:\/\/([^/?#]*)/i.exec(address);
  if (!written || written[1]?.toLowerCase() === url.host) return address;
  return `${url.protocol}//${url.host}${address.slice(written[0].length)}`;
}

/** The link of a web address or, with a username, of a mention; undefined where it leads nowhere. */
function linkOf(written: string, username: string | undefined): Piece | undefined {
  if (username === undefined) {
    const url = urlOf(written);
    return url && { text: shownAs(written, url), href: url.href };
  }
  const name = username.toLowerCase();
  return NO_USERNAMES.has(name) ? undefined : { text: written, to: `/${name}` };
}

/** Splits a text into plain pieces, web addresses and mentions. */
export function findLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: match, 1: username, index } of text.matchAll(LINK)) {
    const written = username === undefined ? withoutTrailing(match) : match;
    const link = linkOf(written, username);
    if (!link) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push(link);
    end = index + written.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
