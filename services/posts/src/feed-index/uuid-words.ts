/** A UUID as four unsigned 32-bit words, most significant first; a UUIDv7's first 48 bits are its time in ms. */
export interface UuidWords {
  w0: number;
  w1: number;
  w2: number;
  w3: number;
}

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HALF_WORD = 0x10000;

/** Value of each ASCII hex digit by its character code. */
const DIGIT = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? 0 : digit;
});

const BYTE_TEXT = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hex4(text: string, at: number): number {
  return (
    (DIGIT[text.charCodeAt(at)]! << 12) |
    (DIGIT[text.charCodeAt(at + 1)]! << 8) |
    (DIGIT[text.charCodeAt(at + 2)]! << 4) |
    DIGIT[text.charCodeAt(at + 3)]!
  );
}

/** Reads canonical (lower-case) UUID text. Throws RangeError for anything else. */
export function parseUuid(text: string): UuidWords {
  if (!CANONICAL.test(text)) throw new RangeError(`not a canonical UUID: ${JSON.stringify(text)}`);
  return {
    w0: hex4(text, 0) * HALF_WORD + hex4(text, 4),
    w1: hex4(text, 9) * HALF_WORD + hex4(text, 14),
    w2: hex4(text, 19) * HALF_WORD + hex4(text, 24),
    w3: hex4(text, 28) * HALF_WORD + hex4(text, 32),
  };
}

function text4(halfWord: number): string {
  return BYTE_TEXT[halfWord >>> 8]! + BYTE_TEXT[halfWord & 0xff]!;
}

/** Number of cached texts, a power of two: about 500 KB. */
const RECENT_IDS = 4096;
const recentWords = new Uint32Array(4 * RECENT_IDS);
const recentTexts = Array.from({ length: RECENT_IDS }, () => write({ w0: 0, w1: 0, w2: 0, w3: 0 }));

/**
 * Canonical text of a UUID given as words. Recent texts are cached, each in the slot given by its last bits: an id on
 * one page is on most pages of that time, and a cached string already has its hash.
 */
export function formatUuid(id: UuidWords): string {
  const { w0, w1, w2, w3 } = id;
  const place = w3 & (RECENT_IDS - 1);
  const at = 4 * place;
  const isKnown =
    recentWords[at + 3] === w3 &&
    recentWords[at + 2] === w2 &&
    recentWords[at + 1] === w1 &&
    recentWords[at] === w0;
  if (isKnown) return recentTexts[place]!;
  const text = write(id);
  recentWords[at] = w0;
  recentWords[at + 1] = w1;
  recentWords[at + 2] = w2;
  recentWords[at + 3] = w3;
  recentTexts[place] = text;
  return text;
}

function write({ w0, w1, w2, w3 }: UuidWords): string {
  const head = text4(w0 >>> 16) + text4(w0 & 0xffff) + '-' + text4(w1 >>> 16) + '-' + text4(w1 & 0xffff);
  return head + '-' + text4(w2 >>> 16) + '-' + text4(w2 & 0xffff) + text4(w3 >>> 16) + text4(w3 & 0xffff);
}

/** Milliseconds since the epoch held in the first 48 bits of a UUIDv7. */
export function timeOf(words: UuidWords): number {
  return words.w0 * HALF_WORD + (words.w1 >>> 16);
}

/**
 * The smallest possible id of a millisecond. Throws RangeError outside the 48 bits that a UUIDv7 has for the time.
 */
export function leastIdAt(timeMs: number): UuidWords {
  if (!Number.isInteger(timeMs) || timeMs < 0 || timeMs >= 2 ** 48) {
    throw new RangeError(`not a time of a UUIDv7: ${timeMs}`);
  }
  return {
    w0: Math.floor(timeMs / HALF_WORD),
    w1: (timeMs % HALF_WORD) * HALF_WORD,
    w2: 0,
    w3: 0,
  };
}

/** Bytewise order: negative when `a` is less. */
export function compareUuids(a: UuidWords, b: UuidWords): number {
  return a.w0 - b.w0 || a.w1 - b.w1 || a.w2 - b.w2 || a.w3 - b.w3;
}
