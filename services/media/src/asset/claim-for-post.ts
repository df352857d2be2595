import { Injectable } from '@nestjs/common';
import { POST_IMAGES_MAX } from '@pulso/contracts/limits';
import type { ClaimForPostRequest, PostClaim, VideoFacts } from '@pulso/contracts/media/v1/media';
import { postMediaTicket } from '@pulso/contracts/media-tickets';
import { TicketSigner } from '@pulso/platform/auth/signed-ticket';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { notAttachable } from '../store/asset-errors.js';
import { ClaimRepository } from '../store/claim.repository.js';
import { StoredVideos } from '../store/stored-videos.js';
import { toVideoFacts } from '../store/video.entity.js';

/**
 * Reserves images of the caller, or a video, for one post and signs a ticket for posts with their facts (MEDIA-17). A publication
 * that is repeated under its key gets the same post. Throws `media-not-attachable`.
 */
@Injectable()
export class ClaimForPost {
  constructor(
    private readonly claims: ClaimRepository,
    private readonly videos: StoredVideos,
    private readonly writes: Writes,
    private readonly tickets: TicketSigner,
  ) {}

  async execute({ ids, videoId, postId: proposed, publicationKey }: ClaimForPostRequest): Promise<PostClaim> {
    const { userId } = requireCaller();
    const claimed = videoId === undefined ? ids : [videoId];
    const isList =
      claimed.length > 0 && claimed.length <= POST_IMAGES_MAX && new Set(ids).size === ids.length;
    const isEither = videoId === undefined || ids.length === 0;
    if (!isList || !isEither || ![...claimed, proposed].every(isId)) throw notAttachable();
    const facts = await this.writes.run(async (transaction) => {
      const postId =
        publicationKey === ''
          ? proposed
          : await this.claims.postOf(userId, publicationKey, proposed, transaction);
      const target = { id: postId, ownerId: userId, purpose: 'post' } as const;
      if (videoId !== undefined) {
        await this.claims.claim(claimed, { ...target, kind: 'video' }, transaction);
        return { postId, images: [], video: await this.factsOf(videoId, transaction) };
      }
      const images = await this.claims.claim(ids, { ...target, kind: 'image' }, transaction);
      return { postId, images: images.map(({ facts: each }) => each) };
    });
    return { ticket: await this.tickets.sign(postMediaTicket, userId, facts), postId: facts.postId };
  }

  /** One that is processed is fine; posts hears of what becomes of it. */
  private async factsOf(id: string, { manager }: Transaction): Promise<VideoFacts> {
    const video = await this.videos.find(id, manager);
    if (!video || video.status === 'failed') throw notAttachable();
    return toVideoFacts(video);
  }
}
