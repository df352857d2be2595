import { ACCESS_TOKEN_MAX_SECONDS } from '@pulso/platform/auth/access-token';
import { permissionDenied, unavailable } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';

const PREFIX = 'archive-';

/** Those of `EndedSessions`. */
interface KnownEnds {
  readonly isKnown: boolean;
  refuses(token: { sessionId: string; issuedAt: number }): boolean;
}

/** Whether the last part of a path below `/media/{id}` is that of an archive: `archive-<session>`. */
export const isArchive = (variant: string): boolean =>
  variant.startsWith(PREFIX) && isId(variant.slice(PREFIX.length));

/**
 * An archive's address ends with the session that it was given to (MEDIA-25). Media has signed both, and an address lives as long as an access
 * token may: until then a session that has ended is remembered (ACCT-21).
 */
export class ArchiveAddress {
  constructor(private readonly ended: KnownEnds) {}

  /** Throws `permission-denied`, and `unavailable` while it is not known which sessions have ended. `expiresAt` as the address says it, in ms. */
  requireLive(variant: string, expiresAt: number): void {
    if (!this.ended.isKnown) throw unavailable();
    const sessionId = variant.slice(PREFIX.length);
    const issuedAt = expiresAt - ACCESS_TOKEN_MAX_SECONDS * 1000;
    if (this.ended.refuses({ sessionId, issuedAt })) throw permissionDenied('This address has expired.');
  }
}
