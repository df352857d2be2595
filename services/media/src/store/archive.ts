import { ACCESS_TOKEN_MAX_SECONDS } from '@pulso/platform/auth/access-token';
import { placeOf } from './asset.js';

/**
 * `receiving`: its document comes. `building`: it is made, or waits for that. `failed`: it could not be made. `removing`: its objects
 * are removed.
 */
export type ArchiveState = 'receiving' | 'building' | 'ready' | 'failed' | 'removing';

/** All that is held of a user, as one file (ACCT-45). Times are milliseconds since the epoch. */
export interface Archive {
  id: string;
  ownerId: string;
  state: ArchiveState;
  documentBytes: number;
  /** What has been written of it; of one that is ready both are its size. */
  doneBytes: number;
  totalBytes: number;
  requestedAt: number;
  readyAt: number | null;
  /** When something is to be done with it: one that is ready or has failed is removed. */
  dueAt: number;
  /** The attempt that builds it, or has; names its object. */
  claim: string | null;
  attempts: number;
}

export interface ClaimedArchive extends Archive {
  claim: string;
}

const HOUR_MS = 60 * 60_000;

/** How long one is there, once it is ready or has failed (LIMIT-20). */
export const ARCHIVE_LIFE_MS = 7 * 24 * HOUR_MS;
/** The life of an address that opens it: as long as gateways remember that the session has ended which it was given to. */
export const ARCHIVE_ADDRESS_MS = ACCESS_TOKEN_MAX_SECONDS * 1000;
/** The longest that its document may come; what was begun earlier was cut off by a kill. */
export const ARCHIVE_RECEIVING_MS = 10 * 60_000;

/** All of them are in it. */
export const ARCHIVES_FOLDER = 'archives/';

/** The folder of a user's archives. Erasures look into it, whatever rows there are. */
export const archivesOf = (ownerId: string) => `${ARCHIVES_FOLDER}${placeOf(ownerId)}/`;

type Named = Pick<Archive, 'id' | 'ownerId'>;

/** The document while the archive is built. */
export const documentKeyOf = ({ id, ownerId }: Named) => `${archivesOf(ownerId)}${id}-document`;

/** An object never changes: each attempt to build one has another. */
export const archiveKeyOf = ({ id, ownerId, claim }: Named & { claim: string }) =>
  `${archivesOf(ownerId)}${id}-${claim}`;

/** Whether the object is one of the archive's. */
export const isObjectOf = ({ id, ownerId }: Named, key: string) =>
  key.startsWith(`${archivesOf(ownerId)}${id}-`);

/** The path of the archive at the gateway, for one session of its owner: the gateway opens it as long as that goes on. */
export const archivePathOf = (id: string, sessionId: string) => `/media/${id}/archive-${sessionId}`;
