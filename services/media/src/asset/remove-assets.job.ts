import { Injectable } from '@nestjs/common';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { untilLessThan } from '@pulso/platform/jobs/delete-in-batches';
import { type Asset, objectKeyOf, RECEIVING_MS, VARIANTS_OF_KIND } from '../store/asset.js';
import { AssetRepository } from '../store/asset.repository.js';
import { ClaimRepository } from '../store/claim.repository.js';
import { StoredPieces } from '../store/stored-pieces.js';
import { StoredVideos } from '../store/stored-videos.js';

const BATCH = 100;
/** When a file that could not be removed is tried again. */
const RETRY_MS = 60 * 60_000;
/** The same of an erased user's: it is waited for. */
const ERASURE_RETRY_MS = 60_000;

/**
 * Removes the files of assets that nobody has: abandoned, detached and deleted ones (MEDIA-14), the pieces of uploads that never
 * ended, and what kills have left.
 */
@Injectable()
export class RemoveAssets {
  constructor(
    private readonly assets: AssetRepository,
    private readonly objects: ObjectStore,
    private readonly pieces: StoredPieces,
    private readonly videos: StoredVideos,
    private readonly claims: ClaimRepository,
    private readonly logger: Logger,
  ) {}

  async execute(stopping: AbortSignal): Promise<void> {
    await untilLessThan(BATCH, stopping, async () => {
      const taken = await this.assets.takeExpired(BATCH, RETRY_MS);
      for (const one of taken) {
        if (stopping.aborted) break;
        await this.remove(one);
      }
      return taken.length;
    });
    await this.claims.purge(stopping);
    await this.videos.purge(stopping);
    if (!stopping.aborted) await this.objects.removeLeftovers(RECEIVING_MS, stopping);
  }

  /** Removes all that a user has, in whatever state. Resolves to whether nothing is left. */
  async removeAllOf(ownerId: string, stopping: AbortSignal): Promise<boolean> {
    await untilLessThan(BATCH, stopping, async () => {
      const taken = await this.assets.takeOf(ownerId, BATCH, ERASURE_RETRY_MS);
      for (const one of taken) {
        if (stopping.aborted) break;
        await this.remove(one);
      }
      return taken.length;
    });
    return !(await this.assets.haveSome(ownerId));
  }

  /** An asset that cannot be removed does not hold up the others. */
  private async remove({ id, kind }: { id: string; kind: Asset['kind'] }): Promise<void> {
    try {
      for (const variant of VARIANTS_OF_KIND[kind]) await this.objects.remove(objectKeyOf(id, variant, kind));
      if (kind === 'image') return await this.assets.delete(id);
      await this.pieces.remove(id);
      await this.videos.bury(id);
    } catch (error) {
      this.logger.error({ err: error, asset: id }, `the files of a ${kind} could not be removed`);
    }
  }
}
