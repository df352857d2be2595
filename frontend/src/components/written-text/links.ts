import { beginningOf } from '../../text/beginning.js';

/** A piece of a text: plain, a web address (`href`), or a mention, with the path of the person's profile (`to`). */
export interface Piece {
  text: string;
  href?: string;
  to?: string;
}

/**
 * Letters of scripts without blanks between words, and of Korean, which puts endings right behind a name: an address or a
 * mention may stand right beside them.
 */
const UNSPACED = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`;

/**
 * What ends an address: white space, quotes, angle brackets, control and format characters, and the punctuation of Chinese and
 * Japanese with its wide forms, but for what stands within names (・～).
 */
const ENDS = String.raw`\s<>"«»“”„‘‚‹›…\u3000-\u3003\u3008-\u301b\u301d-\u3020\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3d\uff5b-\uff5d\uff5f-\uff64\p{Cc}\p{Cf}`;

/** A part of a host, and before it who logs in there: such an address is no link, and must not be one that is cut before "@". */
const LABEL = String.raw`[\p{Alphabetic}\p{M}\p{N}_%@:~\u00b7\u30fb-]`;
/** After the last part of a host in Latin letters, such as ".org", others are the sentence's: no such part mixes them. */
const HOST_END = String.raw`(?=${UNSPACED})(?<=\.[A-Za-z]{2,63}(?::\d{1,5})?)(?!${LABEL}*\.${LABEL})`;

/**
 * Of a path, as it is typed, also with letters of other alphabets: Persian words have a format character (U+200C), and "’" is an
 * apostrophe unless it ends a Chinese quotation.
 */
const PLAIN = String.raw`(?:(?!’${UNSPACED})[^${ENDS}()[\]{}]|\u200c(?=\p{L}))`;
/** Brackets belong to it only in pairs ("…/Crunch_(exercise)"). */
const PATH = String.raw`(?:${PLAIN}|\((?:${PLAIN}|\(${PLAIN}*\))*\)|\[${PLAIN}*\]|\{${PLAIN}*\})*`;

const ADDRESS = String.raw`(?<!(?!${UNSPACED})[\p{L}\p{N}_])[Hh][Tt]{2}[Pp][Ss]?:\/\/(?:(?!${HOST_END})(?:${LABEL}|\.))+(?:[/?#]${PATH})?`;
/**
 * "@" and a username (PEOPLE-6), not within a word, an e-mail address or an address without scheme, nor before a domain or
 * another "@".
 */
const MENTION = String.raw`(?<!(?!${UNSPACED})[\p{L}\p{N}\p{M}_@/=+-])@([A-Za-z0-9][A-Za-z0-9-]{1,28}[A-Za-z0-9])(?!-*(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}_]|@)|\.[\p{L}\p{N}])`;
/**
 * The posts service has the same expression (`usernames-in.ts`): who is told is who is linked. Not without regard to case: that
 * would let "ſ" and the Kelvin sign pass for letters of usernames.
 */
const LINK = new RegExp(`${ADDRESS}|${MENTION}`, 'gu');

/** First segments of paths, where `/{name}` is or will be a page or a file: nobody's username (PEOPLE-8). */
const NO_USERNAMES = new Set(
  (
    'api assets coach coaches dashboard feed forgot-password login media messages notifications post profile ' +
    'reset-password search settings signup subscriptions unsubscribe verify-email'
  ).split(' '),
);
/** Punctuation after an address that belongs to the sentence, in every script. */
const TRAILING = /[\p{Terminal_Punctuation}'’*_~]/u;

function withoutTrailing(address: string): string {
  let end = address.length;
  while (end > 0 && TRAILING.test(address[end - 1]!)) end -= 1;
  return address.slice(0, end);
}

/** The URL of an http or https address; undefined if it is invalid or has credentials, which hide the real host. */
function urlOf(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username || url.password || !url.hostname.includes('.')) return undefined;
  return url;
}

/** In characters as they are seen, before "…". */
const SHOWN_ADDRESS_LENGTH = 39;

/** How an address is shown: without its scheme, and cut where it is long; its link and title have all of it. */
export const shownAddress = (address: string): string =>
  beginningOf(address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''), SHOWN_ADDRESS_LENGTH);

/**
 * The address as it is written, but where the link leads to another host than is written, that one: look-alikes of other
 * alphabets, escapes.
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

/** What every link has. To compile `LINK`, which most texts need not, takes a phone longer than to show a post. */
const MAY_LINK = /@|:\/\//;

/** Splits a text into plain pieces, web addresses and mentions. */
export function findLinks(text: string): Piece[] {
  if (text !== '' && !MAY_LINK.test(text)) return [{ text }];
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
