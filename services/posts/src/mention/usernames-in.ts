/** Letters of scripts without blanks between words, and of Korean: an address or a mention may stand right beside them. */
const UNSPACED = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`;
/** What ends a web address; the frontend's `links.ts` has the same expressions, and says why they are so. */
const ENDS = String.raw`\s<>"«»“”„‘‚‹›…\u3000-\u3003\u3008-\u301b\u301d-\u3020\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3d\uff5b-\uff5d\uff5f-\uff64\p{Cc}\p{Cf}`;
const LABEL = String.raw`[\p{Alphabetic}\p{M}\p{N}_%@:~\u00b7\u30fb-]`;
const HOST_END = String.raw`(?=${UNSPACED})(?<=\.[A-Za-z]{2,63}(?::\d{1,5})?)(?!${LABEL}*\.${LABEL})`;
const PLAIN = String.raw`(?:(?!’${UNSPACED})[^${ENDS}()[\]{}]|\u200c(?=\p{L}))`;
const PATH = String.raw`(?:${PLAIN}|\((?:${PLAIN}|\(${PLAIN}*\))*\)|\[${PLAIN}*\]|\{${PLAIN}*\})*`;
/** A web address: names in it are no mentions. */
const ADDRESS = String.raw`(?<!(?!${UNSPACED})[\p{L}\p{N}_])[Hh][Tt]{2}[Pp][Ss]?:\/\/(?:(?!${HOST_END})(?:${LABEL}|\.))+(?:[/?#]${PATH})?`;
/**
 * "@" and a username (PEOPLE-6), not within a word, an e-mail address or an address without scheme, nor before a domain or
 * another "@".
 */
const MENTION = String.raw`(?<!(?!${UNSPACED})[\p{L}\p{N}\p{M}_@/=+-])@([A-Za-z0-9][A-Za-z0-9-]{1,28}[A-Za-z0-9])(?!-*(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}_]|@)|\.[\p{L}\p{N}])`;
const LINK = new RegExp(`${ADDRESS}|${MENTION}`, 'gu');

/**
 * The different usernames that a text mentions (UI-44), at most `limit`, in their order. The frontend links what this finds;
 * both are tested by `proto/test/mentions.json`.
 */
export function usernamesIn(text: string, limit: number): string[] {
  const found = new Set<string>();
  if (!text.includes('@')) return [];
  for (const [, username] of text.matchAll(LINK)) {
    if (found.size === limit) break;
    if (username !== undefined) found.add(username.toLowerCase());
  }
  return [...found];
}
