import type { SignedUrlClaims, UrlSigner } from '@pulso/platform/auth/signed-url';
import { permissionDenied } from '@pulso/platform/errors/domain-error';

export const addressExpired = () => permissionDenied('This address has expired.');

/** What was signed for this path. Throws `permission-denied`. */
export function claimsOf(signer: UrlSigner, path: string, query: URLSearchParams): SignedUrlClaims {
  const claims = signer.verify(path, query);
  if (claims === 'forged') throw permissionDenied('This address is not valid.');
  if (claims === 'expired') throw addressExpired();
  return claims;
}
