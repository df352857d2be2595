import { Injectable } from '@nestjs/common';
import type { DeleteAssetRequest, DeleteAssetResponse } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { imageNotFound, imageAttached } from '../store/asset-errors.js';
import { isClaimed } from '../store/asset.js';
import { AssetRepository } from '../store/asset.repository.js';

/**
 * `DELETE /api/media/{id}`: frees an upload of the caller's. Throws `not-found`, also the second time, and
 * `media-attached` while a post or the profile has it or is about to get it (MEDIA-17).
 */
@Injectable()
export class DeleteAsset {
  constructor(
    private readonly assets: AssetRepository,
    private readonly writes: Writes,
    private readonly clock: Clock,
  ) {}

  async execute({ id }: DeleteAssetRequest): Promise<DeleteAssetResponse> {
    const { userId } = requireCaller();
    if (!isId(id)) throw imageNotFound();
    await this.writes.run(async (transaction) => {
      const asset = (await this.assets.lock([id], userId, transaction.manager)).get(id);
      if (asset?.state !== 'ready') throw imageNotFound();
      if (asset.attachedTo !== null || isClaimed(asset, this.clock.now())) throw imageAttached();
      await this.assets.giveUp(id, userId, transaction);
    });
    return {};
  }
}
