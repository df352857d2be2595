import { Injectable } from '@nestjs/common';
import type { GetImageRequest, Image } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { assetNotFound } from '../store/asset-errors.js';
import { AssetRepository } from '../store/asset.repository.js';
import { ImageView } from './image-view.js';

/** What gateways from before there were videos ask for: an image of the caller's; `not-found` for all else. */
@Injectable()
export class GetImage {
  constructor(
    private readonly assets: AssetRepository,
    private readonly images: ImageView,
  ) {}

  async execute({ id }: GetImageRequest): Promise<Image> {
    const { userId } = requireCaller();
    const asset = isId(id) ? await this.assets.find(id) : undefined;
    if (asset?.ownerId !== userId || asset.kind !== 'image') throw assetNotFound();
    return this.images.of(asset);
  }
}
