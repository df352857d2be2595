import { createLocalJWKSet, importJWK, jwtVerify, SignJWT, type JWK } from 'jose';
import { z } from 'zod';
import type { Clock } from '../time/clock.js';
import { publicJwks } from './signing-key.js';

const ISSUER = 'pulso';
const ALGORITHM = 'EdDSA';
/** RFC 8725: no other token that is signed with the same key passes for a ticket. */
const TYPE = 'ticket+jwt';
/** How far the clocks of the processes may differ; no expiry is extended by it. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** How long a ticket is valid: from the claim to the write that uses it, within one request and its repetitions. */
export const TICKET_SECONDS = 60;

/** One kind of ticket: who accepts it, and what it says. */
export interface TicketKind<T> {
  /** Such as `posts`. */
  audience: string;
  facts: z.ZodType<T>;
}

/** Signs what one service has granted to a user, for another service that verifies it without a call (MEDIA-17). */
export abstract class TicketSigner {
  abstract sign<T>(kind: TicketKind<T>, userId: string, facts: T): Promise<string>;
}

export abstract class TicketVerifier {
  /** What the ticket says; undefined if it is forged, expired, of another kind, or another user's. */
  abstract verify<T>(kind: TicketKind<T>, userId: string, ticket: string): Promise<T | undefined>;
}

/** `keys` are private JWKs with `kid`; the first one signs. */
export function createTicketSigner(options: { keys: readonly JWK[]; clock: Clock }): TicketSigner {
  const signing = options.keys[0];
  if (!signing?.kid || !signing.d) throw new Error('A ticket signer needs a private key with a kid');
  const header = { alg: ALGORITHM, kid: signing.kid, typ: TYPE };
  const key = importJWK(signing, ALGORITHM);
  return {
    async sign(kind, userId, facts) {
      const issuedAt = Math.floor(options.clock.now() / 1000);
      return new SignJWT({ facts })
        .setProtectedHeader(header)
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(kind.audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TICKET_SECONDS)
        .sign(await key);
    },
  };
}

export function createTicketVerifier(options: { jwks: readonly JWK[]; clock: Clock }): TicketVerifier {
  const keySet = createLocalJWKSet({ keys: publicJwks(options.jwks) });
  return {
    async verify(kind, userId, ticket) {
      const now = options.clock.now();
      try {
        const { payload } = await jwtVerify(ticket, keySet, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: kind.audience,
          subject: userId,
          typ: TYPE,
          requiredClaims: ['iat', 'exp'],
          currentDate: new Date(now),
          maxTokenAge: TICKET_SECONDS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
        });
        // The tolerance above is for `iat` alone.
        if (payload.exp! * 1000 <= now) return undefined;
        return kind.facts.safeParse(payload.facts).data;
      } catch {
        return undefined;
      }
    },
  };
}
