import { Injectable } from '@nestjs/common';
import type { Asset, GetAssetRequest } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { assetNotFound } from '../store/asset-errors.js';
import { AssetRepository } from '../store/asset.repository.js';
import { ImageView } from './image-view.js';
import { VideoView } from './video-view.js';

/** `GET /api/media/{id}`: an image or a video of the caller's; `not-found` also for others'. */
@Injectable()
export class GetAsset {
  constructor(
    private readonly assets: AssetRepository,
    private readonly images: ImageView,
    private readonly videos: VideoView,
  ) {}

  async execute({ id }: GetAssetRequest): Promise<Asset> {
    const { userId } = requireCaller();
    const asset = isId(id) ? await this.assets.find(id) : undefined;
    if (asset?.ownerId !== userId) throw assetNotFound();
    if (asset.kind === 'image') return { image: this.images.of(asset) };
    return { video: await this.videos.of(asset) };
  }
}
