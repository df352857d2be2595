import type { JWK } from 'jose';
import { z } from 'zod';
import type { CursorSecret } from '../auth/sealed-cursor.js';

/** A setting written as JSON text. */
const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('must be JSON');
    return z.NEVER;
  }
});

const jwks = (part: 'x' | 'd') =>
  json.pipe(
    z
      .array(z.looseObject({ kty: z.literal('OKP'), kid: z.string().min(1), [part]: z.string().min(1) }))
      .min(1)
      .transform((keys) => keys as JWK[]),
  );

/** A JSON list of Ed25519 private JWKs: the first signs, all verify. */
export const privateKeys = jwks('d');

/** A JSON list of Ed25519 public JWKs: all verify. */
export const publicKeys = jwks('x');

/** A JSON list of `{ kid, secret }`: the first seals, all open. */
export const cursorSecrets = json.pipe(
  z
    .array(z.strictObject({ kid: z.string().regex(/^[\w-]+$/), secret: z.string().min(32) }))
    .min(1)
    .transform((secrets): CursorSecret[] => secrets),
);
