import { DomainError } from '@pulso/platform/errors/domain-error';

/**
 * The ticket of a claim (MEDIA-6, MEDIA-17). Undefined where media refuses it: the service that the ticket is for then refuses
 * the request, after its own reasons.
 */
export async function ticketOf(claim: Promise<{ ticket: string }>): Promise<string | undefined> {
  return (await grantOf(claim))?.ticket;
}

/** Like `ticketOf`, with all that media answers. */
export async function grantOf<T>(claim: Promise<T>): Promise<T | undefined> {
  try {
    return await claim;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'media-not-attachable') return undefined;
    throw error;
  }
}
