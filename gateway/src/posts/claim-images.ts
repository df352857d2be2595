import { Injectable } from '@nestjs/common';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { Logger } from '@pulso/platform/logging/logger';
import { MediaClient } from '../clients.js';
import { giveBack, grantOf, isRefusal } from '../media/grant-of.js';

type Images = readonly { id: string }[];

/**
 * Has posts write a post. The ticket that media has signed goes to posts; undefined without images, and where media refuses
 * one of them: posts then refuses the request, after its own reasons.
 */
type Write<T> = (ticket: string | undefined) => Promise<T>;

/**
 * Has media claim images for a post of the caller, which posts then writes (MEDIA-17). Where posts refuses the post, its images
 * are free again at once; where that is not known, when the claim ends.
 */
@Injectable()
export class ClaimImages {
  constructor(
    private readonly media: MediaClient,
    private readonly logger: Logger,
  ) {}

  /**
   * The ticket names the new post's id, which counts: a repetition of the request, by its Idempotency-Key `key`, gets the id of
   * the first one from media. A post without images has no ticket, and gets its id from posts.
   */
  forNewPost<T>(images: Images, key: string | undefined, write: Write<T>): Promise<T> {
    const postId = newId();
    return this.claim(images, { postId, publicationKey: key ?? postId }, write);
  }

  /** All images that the edited post is to have, also those that it has. */
  forPost<T>(images: Images, postId: string, write: Write<T>): Promise<T> {
    return this.claim(images, { postId, publicationKey: '' }, write);
  }

  private async claim<T>(
    images: Images,
    target: { postId: string; publicationKey: string },
    write: Write<T>,
  ): Promise<T> {
    const ids = images.map(({ id }) => id);
    if (ids.length === 0) return write(undefined);
    const grant = await grantOf(this.media.claimForPost({ ids, ...target }));
    try {
      return await write(grant?.ticket);
    } catch (error) {
      if (grant && isRefusal(error)) {
        await giveBack(this.media, { ids, postId: grant.postId }, this.logger);
      }
      throw error;
    }
  }
}
