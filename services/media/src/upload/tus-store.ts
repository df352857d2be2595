import { currentContext, requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { DataStore, Metadata, Upload } from '@tus/utils';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { DeleteAsset } from '../asset/delete-asset.js';
import { assetNotFound } from '../store/asset-errors.js';
import { RESUMABLE_MS } from '../store/asset.js';
import type { UploadProgress, UploadRepository } from '../store/upload.repository.js';
import type { ReceivePieces } from './receive-pieces.js';

/** How long a client that asks where to go on waits for a request that stores bytes of its upload, and how often we look. */
const SETTLING = { forMs: 2_000, everyMs: 50 };

/**
 * Uploads as the tus library sees them; each is its caller's alone. What it is asked to create has begun already, because it
 * does not get the request's headers: see TusUploads.
 */
export class TusStore extends DataStore {
  override extensions = ['creation', 'expiration', 'termination'];

  constructor(
    private readonly uploads: UploadRepository,
    private readonly pieces: ReceivePieces,
    private readonly deleteAsset: DeleteAsset,
  ) {
    super();
  }

  /**
   * Throws `not-found`. Its time of creation is now, as the library adds the expiration to it: an upload expires so long after
   * its last byte. We refuse one that has expired ourselves, by our clock.
   */
  override async getUpload(id: string): Promise<Upload> {
    const { length, received, metadata } = await this.progressOf(id);
    return new Upload({ id, size: length, offset: received, metadata: toMetadata(metadata) });
  }

  /**
   * Resolves once nobody writes the upload, or after a while. A client whose connection was cut comes back before all that it brought
   * is stored: told too early where to go on, it would send that again, and be refused at its first piece.
   */
  async settled(id: string): Promise<void> {
    const { signal } = currentContext()!.cancellation;
    for (let waited = 0; waited < SETTLING.forMs; waited += SETTLING.everyMs) {
      if (!(await this.progressOf(id)).isWritten) return;
      await pause(SETTLING.everyMs, undefined, { signal });
    }
  }

  override write(source: Readable, id: string, offset: number): Promise<number> {
    return this.pieces.execute(source as AsyncIterable<Buffer>, id, offset);
  }

  override async remove(id: string): Promise<void> {
    await this.deleteAsset.execute({ id });
  }

  override getExpiration(): number {
    return RESUMABLE_MS;
  }

  private async progressOf(id: string): Promise<UploadProgress> {
    const { userId } = requireCaller();
    const found = isId(id) ? await this.uploads.find(id, userId) : undefined;
    if (!found) throw assetNotFound();
    return found;
  }
}

/** One of a video that came in one request has none. */
const toMetadata = (stored: string) => (stored === '' ? undefined : Metadata.parse(stored));
