import { Injectable } from '@nestjs/common';
import type { Storage } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { STORAGE_QUOTA } from '../store/asset.js';
import { AssetRepository } from '../store/asset.repository.js';

/** `GET /api/storage`: what the caller stores, in bytes, and may store (MEDIA-13). */
@Injectable()
export class GetStorage {
  constructor(private readonly assets: AssetRepository) {}

  async execute(): Promise<Storage> {
    const { userId } = requireCaller();
    return { quotaBytes: STORAGE_QUOTA, bytesUsed: await this.assets.usedBy(userId) };
  }
}
