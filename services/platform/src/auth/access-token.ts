import { createLocalJWKSet, importJWK, jwtVerify, SignJWT, type JWK, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../context/request-context.js';
import { tokenExpired } from '../errors/domain-error.js';
import type { Clock } from '../time/clock.js';
import { publicJwks } from './signing-key.js';

export { generateSigningKey, publicJwks } from './signing-key.js';

const ISSUER = 'pulso';
const AUDIENCE = 'pulso';
const ALGORITHM = 'EdDSA';
const SCHEME = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

export abstract class AccessTokenSigner {
  /** `expiresIn` is in seconds. */
  abstract sign(subject: {
    userId: string;
    sessionId: string;
  }): Promise<{ token: string; expiresIn: number }>;
}

export interface AccessTokenVerifier {
  /**
   * The caller that an `Authorization` header names. Synchronous for a header that was verified before. Throws (or
   * rejects with) `user-token-expired` for any other scheme and for tokens that are forged, malformed, foreign or
   * expired. The client is not told which of these it was.
   */
  verify(authorization: string): Promise<Caller> | Caller;
}

/** `keys` are private JWKs with `kid`; the first one signs. */
export function createAccessTokenSigner(options: {
  keys: readonly JWK[];
  ttlSeconds: number;
  clock: Clock;
}): AccessTokenSigner {
  const { ttlSeconds, clock } = options;
  const signing = options.keys[0];
  if (!signing?.kid || !signing.d) throw new Error('An access token signer needs a private key with a kid');
  const header = { alg: ALGORITHM, kid: signing.kid, typ: 'JWT' };
  const key = importJWK(signing, ALGORITHM);

  return {
    async sign({ userId, sessionId }) {
      const issuedAt = Math.floor(clock.now() / 1000);
      const token = await new SignJWT({ sid: sessionId })
        .setProtectedHeader(header)
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ttlSeconds)
        .sign(await key);
      return { token, expiresIn: ttlSeconds };
    },
  };
}

/**
 * Verifies with the key of `jwks` that the token's `kid` names. Verified headers are cached until they expire, because
 * an Ed25519 verification takes 100 µs.
 */
export function createAccessTokenVerifier(options: {
  jwks: readonly JWK[];
  clock: Clock;
  cacheSize?: number;
}): AccessTokenVerifier {
  const { clock, cacheSize = 10_000 } = options;
  const keySet = createLocalJWKSet({ keys: publicJwks(options.jwks) });
  const verified = new LRUCache<string, Caller>({ max: cacheSize });

  async function check(authorization: string): Promise<Caller> {
    const token = SCHEME.exec(authorization)?.[1];
    if (token === undefined || !isCanonical(token)) throw tokenExpired();
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, keySet, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        currentDate: new Date(clock.now()),
      }));
    } catch {
      throw tokenExpired();
    }
    const { sub, sid, exp } = payload;
    if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') throw tokenExpired();
    const caller: Caller = Object.freeze({ userId: sub, sessionId: sid, expiresAt: exp * 1000 });
    // Only the usual spelling is cached: other spellings of one token would evict other tokens.
    if (authorization === `Bearer ${token}`) verified.set(authorization, caller);
    return caller;
  }

  return {
    verify(authorization) {
      // `peek` does not record the use, which would cost more than the lookup: the oldest entry is evicted first.
      const caller = verified.peek(authorization);
      if (!caller) return check(authorization);
      if (caller.expiresAt > clock.now()) return caller;
      verified.delete(authorization);
      throw tokenExpired();
    },
  };
}

/** Decoders ignore some bits of a base64url signature's last character; a token that sets them is rejected as forged. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
