import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { JWK } from 'jose';
import { z } from 'zod';
import type { CursorSecret } from '../auth/sealed-cursor.js';
import { secret } from './secret.js';

/** A setting whose value is JSON text. */
const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('must be JSON');
    return z.NEVER;
  }
});

/** A plain list of keys, or a JWK set. */
const listed = json.transform((value) => (isSet(value) ? value.keys : value));

/** Tokens and cursors name their key by `kid`; if two keys share a `kid`, only one can be found. */
const TWICE = 'must not name a kid twice';
const eachOnce = (entries: readonly { kid?: string }[]): boolean =>
  new Set(entries.map(({ kid }) => kid)).size === entries.length;

type Curve = 'Ed25519' | 'X25519';

const jwks = (part: 'x' | 'd', curve: Curve = 'Ed25519') =>
  listed.pipe(
    z
      .array(z.looseObject({ kty: z.literal('OKP'), kid: z.string().min(1), [part]: z.string().min(1) }))
      .min(1)
      .transform((keys) => keys as JWK[])
      .refine((keys) => keys.every((key) => isOf(curve, key, part)), `must hold ${curve} keys`)
      .refine(eachOnce, TWICE),
  );

/** Ed25519 private JWKs as JSON: the first one signs, all verify. */
export const privateKeys = secret(jwks('d'));

/** Ed25519 public JWKs as JSON: all verify. */
export const publicKeys = jwks('x');

/** X25519 private JWKs as JSON: each opens what was sealed for it. */
export const openingKeys = secret(jwks('d', 'X25519'));

/** X25519 public JWKs as JSON: the first one seals. */
export const sealingKeys = jwks('x', 'X25519');

/** A JSON list of `{ kid, secret }`: the first one seals, all open. */
export const cursorSecrets = secret(
  json.pipe(
    z
      .array(z.strictObject({ kid: z.string().regex(/^[\w-]+$/), secret: z.string().min(32) }))
      .min(1)
      .transform((secrets): CursorSecret[] => secrets)
      .refine(eachOnce, TWICE),
  ),
);

function isSet(value: unknown): value is { keys: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'keys' in value;
}

function isOf(curve: Curve, key: JWK, part: 'x' | 'd'): boolean {
  const jwk = { key: key as never, format: 'jwk' } as const;
  try {
    // Verifiers use the `x` of a private key, and createPrivateKey does not check it.
    const known = createPublicKey(part === 'd' ? createPrivateKey(jwk) : jwk);
    return known.asymmetricKeyType === curve.toLowerCase() && known.export({ format: 'jwk' }).x === key.x;
  } catch {
    return false;
  }
}
