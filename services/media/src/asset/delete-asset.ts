import { Injectable } from '@nestjs/common';
import type { DeleteAssetRequest, DeleteAssetResponse } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { assetAttached, assetNotFound } from '../store/asset-errors.js';
import { type Asset, isClaimed } from '../store/asset.js';
import { AssetRepository } from '../store/asset.repository.js';

/**
 * `DELETE /api/media/{id}`, and the termination of an upload in pieces: frees an upload of the caller's. Throws `not-found`, also
 * the second time, and `media-attached` while a post or the profile has it or is about to get it (MEDIA-17).
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
    if (!isId(id)) throw assetNotFound();
    await this.writes.run(async (transaction) => {
      const asset = (await this.assets.lock([id], userId, transaction.manager)).get(id);
      if (!asset || !isKnown(asset)) throw assetNotFound();
      if (asset.attachedTo !== null || isClaimed(asset, this.clock.now())) throw assetAttached(asset.kind);
      await this.assets.giveUp(id, userId, transaction);
    });
    return {};
  }
}

/** Whether its owner knows its id: that of an image in one request is told at its end. */
const isKnown = ({ kind, state }: Asset) => state === 'ready' || (kind === 'video' && state === 'receiving');
