import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../time/clock.js';
import type { CursorSecret } from './sealed-cursor.js';

/** 128 bits of the MAC. */
const MAC_LENGTH = 22;
/** Signatures of one minute expire together, so that addresses, and the ETags of answers with them, hold for a minute. */
const WINDOW_MS = 60_000;

export interface SignedUrlClaims {
  /** Raised to close all addresses that were signed before. */
  epoch: number;
  /** In ms since the epoch; undefined: until the epoch is raised. */
  expiresAt: number | undefined;
}

/** Paths with a MAC over path, epoch and expiry, which whoever has them may fetch (MEDIA-19). */
export abstract class UrlSigner {
  /** The path with its signature. With `lifeMs` it expires after at most that time, and at least a minute less. */
  abstract sign(path: string, claims: { epoch: number; lifeMs?: number }): string;
  /** What was signed for this path; 'forged' without a valid signature, 'expired' after its time. */
  abstract verify(path: string, query: URLSearchParams): SignedUrlClaims | 'forged' | 'expired';
}

/** Signs with the first of `secrets`, verifies with all. */
export function createUrlSigner(options: { secrets: readonly CursorSecret[]; clock: Clock }): UrlSigner {
  const keys = new Map(options.secrets.map(({ kid, secret }) => [kid, secret]));
  const signing = options.secrets[0];
  if (!signing) throw new Error('A URL signer needs at least one secret');
  return {
    sign(path, { epoch, lifeMs }) {
      const expires = lifeMs === undefined ? '' : `${windowOf(options.clock.now()) + lifeMs}`;
      const query = new URLSearchParams({ e: `${epoch}`, ...(expires && { x: expires }), k: signing.kid });
      query.set('s', mac(signing.secret, path, `${epoch}`, expires));
      return `${path}?${query.toString()}`;
    },
    verify(path, query) {
      const [epoch, expires, kid] = [query.get('e') ?? '', query.get('x') ?? '', query.get('k') ?? ''];
      const secret = keys.get(kid);
      if (secret === undefined) return 'forged';
      const [given, expected] = [query.get('s') ?? '', mac(secret, path, epoch, expires)].map((text) =>
        Buffer.from(text),
      ) as [Buffer, Buffer];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
      const expiresAt = expires === '' ? undefined : Number(expires);
      if (expiresAt !== undefined && expiresAt <= options.clock.now()) return 'expired';
      return { epoch: Number(epoch), expiresAt };
    },
  };
}

const windowOf = (now: number) => Math.floor(now / WINDOW_MS) * WINDOW_MS;

/** None of the parts holds a line break, so that different parts never give the same text. */
function mac(secret: string, path: string, epoch: string, expires: string): string {
  return createHmac('sha256', secret)
    .update([path, epoch, expires].join('\n'))
    .digest('base64url')
    .slice(0, MAC_LENGTH);
}
