/** A web address: names in it are no mentions. */
const ADDRESS = /(?<![\p{L}\p{N}_])[Hh][Tt]{2}[Pp][Ss]?:\/\/[^\s<>"«»“”\p{Cc}\p{Cf}]+/u;
/**
 * "@" and a username (PEOPLE-6), not within a word, an e-mail address or an address without scheme, nor before a domain or
 * another "@".
 */
const MENTION =
  /(?<![\p{L}\p{N}\p{M}_@/=+-])@([A-Za-z0-9][A-Za-z0-9-]{1,28}[A-Za-z0-9])(?!-*[\p{L}\p{N}\p{M}_@]|\.[\p{L}\p{N}])/u;
const LINK = new RegExp(`${ADDRESS.source}|${MENTION.source}`, 'gu');

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
