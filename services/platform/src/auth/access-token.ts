import { createLocalJWKSet, importJWK, jwtVerify, SignJWT, type JWK, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../context/request-context.js';
import { tokenExpired } from '../errors/domain-error.js';
import { isId } from '../ids/uuid-v7.js';
import type { Clock } from '../time/clock.js';
import { publicJwks } from './signing-key.js';

export { generateSigningKey, publicJwks } from './signing-key.js';

const ISSUER = 'pulso';
const AUDIENCE = 'pulso';
const ALGORITHM = 'EdDSA';
/** RFC 9068: nothing else that is signed with the same key passes for an access token. */
const TYPE = 'at+jwt';
/** How far the clocks of the processes may differ; no expiry is extended by it. */
const CLOCK_TOLERANCE_SECONDS = 30;
const SCHEME = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The longest life of an access token; verifiers refuse what was issued for longer (ACCT-15). */
export const ACCESS_TOKEN_MAX_SECONDS = 3600;

export abstract class AccessTokenSigner {
  /** `expiresIn` is in seconds. */
  abstract sign(subject: {
    userId: string;
    sessionId: string;
  }): Promise<{ token: string; expiresIn: number }>;
}

/** A caller whose token was verified; `issuedAt` in milliseconds since the epoch. */
export interface VerifiedCaller extends Caller {
  issuedAt: number;
}

export interface AccessTokenVerifier {
  /**
   * The caller that an `Authorization` header names. Synchronous for a header that was verified before. Throws (or
   * rejects with) `user-token-expired` for any other scheme and for tokens that are forged, malformed, foreign,
   * expired, issued in the future or for more than `ACCESS_TOKEN_MAX_SECONDS`. The client is not told which of these it was.
   */
  verify(authorization: string): Promise<VerifiedCaller> | VerifiedCaller;
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
  const header = { alg: ALGORITHM, kid: signing.kid, typ: TYPE };
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
  const verified = new LRUCache<string, VerifiedCaller>({ max: cacheSize });

  async function check(authorization: string): Promise<VerifiedCaller> {
    const token = SCHEME.exec(authorization)?.[1];
    if (token === undefined || !isCanonical(token)) throw tokenExpired();
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, keySet, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: TYPE,
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        currentDate: new Date(clock.now()),
        maxTokenAge: ACCESS_TOKEN_MAX_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      }));
    } catch {
      throw tokenExpired();
    }
    const caller = callerOf(payload);
    // The tolerance above is for `iat` alone.
    if (!caller || caller.expiresAt <= clock.now()) throw tokenExpired();
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

/** Undefined where the claims are none that the signer writes. */
function callerOf({ sub, sid, iat, exp }: JWTPayload): VerifiedCaller | undefined {
  if (typeof sub !== 'string' || typeof sid !== 'string' || !isId(sub) || !isId(sid)) return undefined;
  if (typeof iat !== 'number' || typeof exp !== 'number' || exp - iat > ACCESS_TOKEN_MAX_SECONDS) {
    return undefined;
  }
  return Object.freeze({ userId: sub, sessionId: sid, issuedAt: iat * 1000, expiresAt: exp * 1000 });
}

/** Decoders ignore some bits of a base64url signature's last character; a token that sets them is rejected as forged. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
