import { Injectable } from '@nestjs/common';
import type { ErrorKind } from '@pulso/contracts/error-codes';
import type { ReleaseClaimRequest } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { isId, newId } from '@pulso/platform/ids/uuid-v7';
import { Logger } from '@pulso/platform/logging/logger';
import { MediaClient } from '../clients.js';

/** The media that a post is to have: images, or a video that was uploaded. A link is none. */
interface WantedMedia {
  images?: readonly { id: string }[];
  video?: { type: 'upload'; id: string } | { type: 'url' } | null;
}

/**
 * Has a service write a post or a profile. The ticket that media has signed goes to it; undefined without media, and where media
 * refuses it: the service then refuses the request, after its own reasons.
 */
type Write<T> = (ticket: string | undefined) => Promise<T>;

/** How a claim is given back. */
interface GivingBack<Grant> {
  /** What was claimed. */
  claimed(grant: Grant): ReleaseClaimRequest;
  /** Whether an error of the service says that nothing comes of the ticket. */
  isRefusal(error: unknown): boolean;
}

/**
 * Has media claim images or a video for a post or a profile of the caller, which another service then writes (MEDIA-6, MEDIA-17). Where that
 * service refuses the request, they are free again at once; where that is not known, when the claim ends.
 */
@Injectable()
export class ClaimMedia {
  constructor(
    private readonly media: MediaClient,
    private readonly logger: Logger,
  ) {}

  /**
   * The ticket names the new post's id, which counts: a repetition of the request, by its Idempotency-Key `key`, gets the id of
   * the first one from media. A post without media has no ticket, and gets its id from posts.
   * Where both are wanted, posts refuses the request, and nothing is claimed.
   */
  forNewPost<T>(wanted: WantedMedia, key: string | undefined, write: Write<T>): Promise<T> {
    const postId = newId();
    return this.forMediaOf(wanted, { postId, publicationKey: key ?? postId }, write);
  }

  /** All images that the edited post is to have, also those that it has. */
  forPost<T>(images: WantedMedia['images'], postId: string, write: Write<T>): Promise<T> {
    return this.forMediaOf({ images }, { postId, publicationKey: '' }, write);
  }

  /** Of several posts, whose ids are known, at once; a ticket for each, undefined as in `Write`. */
  async forImportedPosts<T>(
    posts: readonly (WantedMedia & { postId: string })[],
    write: (tickets: readonly (string | undefined)[]) => Promise<T>,
  ): Promise<T> {
    const claims = await Promise.allSettled(
      posts.map(async ({ postId, ...wanted }) => {
        const media = claimedOf(wanted);
        if (!media) return undefined;
        const { all, ...claim } = media;
        const grant = await grantOf(this.media.claimForPost({ ...claim, postId, publicationKey: '' }));
        return grant && { ticket: grant.ticket, claimed: { ids: all, postId: grant.postId } };
      }),
    );
    try {
      return await write(claims.map((claim) => valueOf(claim)?.ticket));
    } catch (error) {
      // The one conflict is that no import was begun.
      if (isRefusalOrConflict(error))
        await Promise.all(
          claims.map(async (claim) => {
            if (claim.status === 'fulfilled' && claim.value) await this.giveBack(claim.value.claimed);
          }),
        );
      throw error;
    }
  }

  /** Nothing is claimed for what cannot be an image's id. */
  async forProfile<T>(imageId: string | null | undefined, write: Write<T>): Promise<T> {
    if (!imageId || !isId(imageId)) return write(undefined);
    return this.writeWithTicket(this.media.claimForProfile({ id: imageId }), write, {
      claimed: () => ({ ids: [imageId], postId: requireCaller().userId }),
      // Somebody else has the username or the address: no other request of the caller's is meant by that conflict.
      isRefusal: isRefusalOrConflict,
    });
  }

  private async forMediaOf<T>(
    wanted: WantedMedia,
    target: { postId: string; publicationKey: string },
    write: Write<T>,
  ): Promise<T> {
    const media = claimedOf(wanted);
    if (!media) return write(undefined);
    const { all, ...claim } = media;
    return this.writeWithTicket(this.media.claimForPost({ ...claim, ...target }), write, {
      claimed: ({ postId }) => ({ ids: all, postId }),
      isRefusal,
    });
  }

  private async writeWithTicket<T, Grant extends { ticket: string }>(
    claim: Promise<Grant>,
    write: Write<T>,
    { claimed, isRefusal: isRefused }: GivingBack<Grant>,
  ): Promise<T> {
    const grant = await grantOf(claim);
    try {
      return await write(grant?.ticket);
    } catch (error) {
      if (grant && isRefused(error)) await this.giveBack(claimed(grant));
      throw error;
    }
  }

  /** Never rejects: the refusal is what the caller is told, whether media can be reached or not, and a claim ends by itself. */
  private async giveBack(claim: ReleaseClaimRequest): Promise<void> {
    try {
      await this.media.releaseClaim(claim);
    } catch (err) {
      const { postId, ids } = claim;
      this.logger.warn({ err, postId, media: ids }, 'claimed media could not be given back');
    }
  }
}

/** What to claim; undefined without media, and where both kinds are wanted, which posts refuses. */
function claimedOf({ images = [], video }: WantedMedia) {
  const ids = images.map(({ id }) => id);
  const videoId = video?.type === 'upload' ? video.id : undefined;
  const all = videoId === undefined ? ids : [videoId];
  return all.length === 0 || (videoId !== undefined && ids.length > 0) ? undefined : { ids, videoId, all };
}

/** Throws why there is none. */
function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** What media answers to a claim. Undefined where it refuses it. */
async function grantOf<T>(claim: Promise<T>): Promise<T | undefined> {
  try {
    return await claim;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'media-not-attachable') return undefined;
    throw error;
  }
}

/**
 * Refusals that say that a service has written nothing. Others leave it open: a call that took too long may have written, and
 * of a conflict another request may be under way.
 */
const KINDS_WITHOUT_A_WRITE: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'invalid-argument',
  'unauthenticated',
  'permission-denied',
  'not-found',
  'unprocessable',
]);

const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError && KINDS_WITHOUT_A_WRITE.has(error.kind);

/** For services whose conflicts say that nothing was written. */
const isRefusalOrConflict = (error: unknown): boolean =>
  isRefusal(error) || (error instanceof DomainError && error.kind === 'conflict');
