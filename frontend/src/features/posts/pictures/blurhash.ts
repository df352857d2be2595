/** The digits of base 83, of which a blurhash is written. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';

/** The number that the characters `from` to `to` (exclusive) of a blurhash are. */
export function numberIn(hash: string, from: number, to: number): number {
  let value = 0;
  for (const digit of hash.slice(from, to)) value = value * 83 + DIGITS.indexOf(digit);
  return value;
}

/** The colour that a picture has on the whole, as CSS writes it. */
export const averageColor = (hash: string): string =>
  `#${numberIn(hash, 2, 6).toString(16).padStart(6, '0')}`;
