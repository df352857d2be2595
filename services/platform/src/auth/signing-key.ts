import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/** A new private Ed25519 key; its `kid` is the RFC 7638 thumbprint. */
export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' };
}

/** The public parts of the keys, which verifiers are configured with. */
export function publicJwks(keys: readonly JWK[]): JWK[] {
  return keys.map(({ kty, crv, x, kid, alg, use }) => ({ kty, crv, x, kid, alg, use }));
}
