import { Injectable } from '@nestjs/common';
import { postMediaTicket } from '@pulso/contracts/media-tickets';
import { TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { type AttachedImage, attach } from '../store/attached-image.js';
import { attachVideo, type VideoFields } from '../store/attached-video.js';
import type { WantedPost } from '../store/post.js';

interface Granted {
  /** The post that media's ticket names; undefined where none is needed, or it is not valid. */
  postId: string | undefined;
  /** Undefined if the ticket does not grant them. */
  images: AttachedImage[] | undefined;
  video: VideoFields | undefined;
}

/** The images and the video that a new post is to have, as far as media's ticket grants them to its author (MEDIA-17). */
@Injectable()
export class GrantedMedia {
  constructor(private readonly tickets: TicketVerifier) {}

  async of(
    { choices, video }: Pick<WantedPost, 'choices' | 'video'>,
    ticket: string | undefined,
    authorId: string,
  ): Promise<Granted> {
    const needsTicket = choices.length > 0 || (video && 'uploadId' in video);
    const grant = needsTicket
      ? await this.tickets.verify(postMediaTicket, authorId, ticket ?? '')
      : undefined;
    return {
      postId: grant?.postId,
      images: attach(choices, grant?.images ?? []),
      video: video ? attachVideo(video, grant?.video) : {},
    };
  }
}
