import { Injectable } from '@nestjs/common';
import { POST_IMAGES_MAX } from '@pulso/contracts/limits';
import type { ClaimForPostRequest, PostClaim } from '@pulso/contracts/media/v1/media';
import { postMediaTicket } from '@pulso/contracts/media-tickets';
import { TicketSigner } from '@pulso/platform/auth/signed-ticket';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { notAttachable } from '../store/asset-errors.js';
import { ClaimRepository } from '../store/claim.repository.js';

/**
 * Reserves images of the caller for one post and signs a ticket for posts with their facts (MEDIA-17). A publication that is
 * repeated under its key gets the same post. Throws `media-not-attachable`.
 */
@Injectable()
export class ClaimForPost {
  constructor(
    private readonly claims: ClaimRepository,
    private readonly writes: Writes,
    private readonly tickets: TicketSigner,
  ) {}

  async execute({ ids, postId: proposed, publicationKey }: ClaimForPostRequest): Promise<PostClaim> {
    const { userId } = requireCaller();
    const isList = ids.length > 0 && ids.length <= POST_IMAGES_MAX && new Set(ids).size === ids.length;
    if (!isList || ![...ids, proposed].every(isId)) throw notAttachable();
    const { postId, claimed } = await this.writes.run(async (transaction) => {
      const post =
        publicationKey === ''
          ? proposed
          : await this.claims.postOf(userId, publicationKey, proposed, transaction);
      const target = { id: post, ownerId: userId, purpose: 'post' } as const;
      return { postId: post, claimed: await this.claims.claim(ids, target, transaction) };
    });
    const images = claimed.map(({ facts }) => facts);
    return { ticket: await this.tickets.sign(postMediaTicket, userId, { postId, images }), postId };
  }
}
