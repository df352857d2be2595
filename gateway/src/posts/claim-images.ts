import { Injectable } from '@nestjs/common';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { MediaClient } from '../clients.js';
import { ticketOf } from '../media/ticket-of.js';

type Images = readonly { id: string }[];

/**
 * Has media claim images for a post of the caller (MEDIA-17). The ticket that it signs goes to posts; undefined without
 * images, and where media refuses one of them: posts then refuses the request, after its own reasons.
 */
@Injectable()
export class ClaimImages {
  constructor(private readonly media: MediaClient) {}

  /** The ticket names the new post's id. `key` is the request's Idempotency-Key: its repetition gets the same id. */
  forNewPost(images: Images, key: string | undefined): Promise<string | undefined> {
    const postId = newId();
    return this.claim(images, postId, key ?? postId);
  }

  /** All images that the edited post is to have, also those that it has. */
  forPost(images: Images, postId: string): Promise<string | undefined> {
    return this.claim(images, postId, '');
  }

  private async claim(images: Images, postId: string, publicationKey: string): Promise<string | undefined> {
    if (images.length === 0) return undefined;
    const ids = images.map(({ id }) => id);
    return ticketOf(this.media.claimForPost({ ids, postId, publicationKey }));
  }
}
