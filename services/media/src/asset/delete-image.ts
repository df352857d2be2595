import { Injectable } from '@nestjs/common';
import type { DeleteImageRequest, DeleteImageResponse } from '@pulso/contracts/media/v1/media';
import { DeleteAsset } from './delete-asset.js';

/** What gateways from before there were videos ask for. */
@Injectable()
export class DeleteImage extends DeleteAsset {
  override execute(request: DeleteImageRequest): Promise<DeleteImageResponse> {
    return super.execute(request);
  }
}
