import type { ErrorKind } from '@pulso/contracts/error-codes';
import type { ReleaseClaimRequest } from '@pulso/contracts/media/v1/media';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Logger } from '@pulso/platform/logging/logger';
import type { MediaClient } from '../clients.js';

/**
 * What media answers to a claim (MEDIA-6, MEDIA-17). Undefined where it refuses it: the service that the ticket is for then refuses the
 * request, after its own reasons.
 */
export async function grantOf<T>(claim: Promise<T>): Promise<T | undefined> {
  try {
    return await claim;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'media-not-attachable') return undefined;
    throw error;
  }
}

/**
 * Refusals that say that a service has written nothing. Others leave it open: a call that took too long may have written, and
 * of a conflict another request may be under way.
 */
const KINDS_WITHOUT_A_WRITE: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'invalid-argument',
  'unauthenticated',
  'permission-denied',
  'not-found',
  'unprocessable',
]);

/** Whether nothing comes of the ticket that went with the request, so that the claim can be given back. */
export const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && KINDS_WITHOUT_A_WRITE.has(error.kind);

/**
 * Frees what was claimed for a request that was refused (MEDIA-17). Never rejects: the refusal is what the caller is told, whether media
 * can be reached or not, and a claim ends by itself.
 */
export async function giveBack(
  media: Pick<MediaClient, 'releaseClaim'>,
  claim: ReleaseClaimRequest,
  logger: Logger,
): Promise<void> {
  try {
    await media.releaseClaim(claim);
  } catch (err) {
    logger.warn({ err, postId: claim.postId, images: claim.ids }, 'claimed images could not be given back');
  }
}
