import { Injectable } from '@nestjs/common';
import type { ReleaseClaimRequest, ReleaseClaimResponse } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ClaimRepository } from '../store/claim.repository.js';

/**
 * Gives back claims of the caller's images and videos, after posts has refused their post or identity their profile (MEDIA-6, MEDIA-17). Call it
 * once for each claim, and only when the claim's ticket can attach nothing any more. Images of others, and those without such a
 * claim, are left out.
 */
@Injectable()
export class ReleaseClaim {
  constructor(private readonly claims: ClaimRepository) {}

  async execute({ ids, postId }: ReleaseClaimRequest): Promise<ReleaseClaimResponse> {
    const { userId } = requireCaller();
    if (isId(postId)) await this.claims.release(ids.filter(isId), { id: postId, ownerId: userId });
    return {};
  }
}
