import { Injectable } from '@nestjs/common';
import type { ReleaseClaimRequest, ReleaseClaimResponse } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ClaimRepository } from '../store/claim.repository.js';

/**
 * Gives the caller's images back that were claimed for a post which posts has refused, or for a profile which identity has (MEDIA-6,
 * MEDIA-17). Must be called only where the claim's ticket can attach nothing any more, once for each claim. Images of others, and those
 * that are not claimed for it, are left out.
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
