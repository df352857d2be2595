import { Injectable } from '@nestjs/common';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { untilLessThan } from '@pulso/platform/jobs/delete-in-batches';
import { ALL_VARIANTS, objectKeyOf, RECEIVING_MS } from '../store/asset.js';
import { AssetRepository } from '../store/asset.repository.js';
import { ClaimRepository } from '../store/claim.repository.js';

const BATCH = 100;
/** When a file that could not be removed is tried again. */
const RETRY_MS = 60 * 60_000;

/** Removes the files of assets that nobody has: abandoned, detached and deleted ones (MEDIA-14), and what kills have left. */
@Injectable()
export class RemoveAssets {
  constructor(
    private readonly assets: AssetRepository,
    private readonly objects: ObjectStore,
    private readonly claims: ClaimRepository,
    private readonly logger: Logger,
  ) {}

  async execute(stopping: AbortSignal): Promise<void> {
    await untilLessThan(BATCH, stopping, async () => {
      const ids = await this.assets.takeExpired(BATCH, RETRY_MS);
      for (const id of ids) {
        if (stopping.aborted) break;
        await this.remove(id);
      }
      return ids.length;
    });
    await this.claims.purge(stopping);
    if (!stopping.aborted) await this.objects.removeLeftovers(RECEIVING_MS, stopping);
  }

  /** An asset that cannot be removed does not hold up the others. */
  private async remove(id: string): Promise<void> {
    try {
      for (const variant of ALL_VARIANTS) await this.objects.remove(objectKeyOf(id, variant));
      await this.assets.delete(id);
    } catch (error) {
      this.logger.error({ err: error, asset: id }, 'the files of an image could not be removed');
    }
  }
}
