import { Injectable } from '@nestjs/common';
import { newIdAt, timeOfId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { type VideoFacts, VideoStatus } from '@pulso/contracts/media/v1/media';
import type { mongo } from 'mongoose';
import type { AttachedImage } from './attached-image.js';
import type { VideoFields } from './attached-video.js';
import { DeletedImports } from './deleted-imports.js';
import { type DecisionFields, hasDecision, HIDING_NAMES } from './hiding.js';
import { DELETION, FIRST_MEDIA_EPOCH, type NewPost } from './post.js';
import { PostCollection, type PostDocument, type PostDraft } from './post.schema.js';

interface NewPostFields {
  id: string | undefined;
  authorId: string;
  draft: PostDraft;
  images: AttachedImage[];
  video: VideoFields;
  mentionedIds: string[];
  /** Of a post that is imported (ACCT-46). */
  imported?: { importedAt: Date; editedAt: Date | undefined };
}

export type ListedPost = Pick<
  PostDocument,
  '_id' | 'authorId' | 'live' | 'visibility' | 'createdAt' | 'editedAt'
>;
const LISTED = { authorId: 1, live: 1, visibility: 1, createdAt: 1, editedAt: 1 } as const;

@Injectable()
export class PostRepository {
  constructor(
    readonly rows: PostCollection,
    private readonly deletedImports: DeletedImports,
    private readonly clock: Clock,
  ) {}

  /**
   * A post's id is a UUIDv7 of `createdAt`. A post with media of Pulso has the `id` for which it was claimed before, and an imported
   * one the id that follows from the archive; every other post gets its id here.
   */
  newPost({ id, draft, images, video, imported, ...fields }: NewPostFields): NewPost {
    const _id = id ?? newIdAt(this.clock.now());
    const createdAt = new Date(timeOfId(_id));
    return {
      ...fields,
      ...draft,
      ...(images.length > 0 && { images }),
      ...video,
      ...(imported && { importedAt: imported.importedAt }),
      ...(imported?.editedAt && { editedAt: imported.editedAt }),
      mediaEpoch: FIRST_MEDIA_EPOCH,
      _id,
      likeCount: 0,
      commentCount: 0,
      createdAt,
      updatedAt: imported?.editedAt ?? createdAt,
      live: true,
      version: this.rows.firstVersion(),
    };
  }

  /** A post that is not deleted. */
  async find(id: string): Promise<PostDocument | null> {
    const post = await this.findEvenDeleted(id);
    return post?.live ? post : null;
  }

  findEvenDeleted(id: string): Promise<PostDocument | null> {
    return this.rows.findOne({ _id: id });
  }

  /** The posts among `ids` that are not deleted, in no particular order. */
  findAll(ids: readonly string[]): Promise<PostDocument[]> {
    return this.rows.find({ _id: { $in: [...ids] }, live: true }, { limit: ids.length });
  }

  /** Those of an author among `ids`, also deleted ones, of imported ones for ever: whether each is there. */
  liveAmong(authorId: string, ids: readonly string[]): Promise<Map<string, boolean>> {
    const found = this.rows.find(
      { _id: { $in: [...ids] }, authorId },
      { projection: { live: 1 }, limit: ids.length },
    );
    return this.deletedImports.liveAmong(authorId, ids, found);
  }

  /** Newest first, without the posts of `except`, older than the post `before` when given. */
  listByAuthor(
    authorId: string,
    except: readonly string[],
    before: string | undefined,
    limit: number,
  ): Promise<PostDocument[]> {
    const _id = { ...(before === undefined ? {} : { $lt: before }), $nin: [...except] };
    return this.rows.find({ authorId, live: true, _id }, { sort: { _id: -1 }, limit });
  }

  /**
   * All posts, deleted ones too, newest first, older than the post `before` when given: only what `ListedPost` has. Without imported ones,
   * which may have any time (ACCT-46): the index reads past any number of them.
   */
  listNewest(before: string | undefined, limit: number): Promise<ListedPost[]> {
    // null also finds posts without the field, and is one place in the index, unlike `$exists: false`.
    const filter: object = { importedAt: null, ...(before !== undefined && { _id: { $lt: before } }) };
    return this.rows.find(filter as mongo.Filter<PostDocument>, {
      sort: { _id: -1 },
      limit,
      projection: LISTED,
    });
  }

  /**
   * Compare-and-set: returns the deleted post without its text and media, or null when it has changed since `seen`. The
   * event makes media free the files and their quota, which can wait, and messaging remove the notifications (POST-10).
   */
  async markDeleted(seen: PostDocument): Promise<PostDocument | null> {
    await this.deletedImports.keep(seen);
    const deletedAt = new Date(this.clock.now());
    return this.rows.change(seen, {
      set: { ...DELETION.set, live: false, deletedAt, erasing: true },
      unset: DELETION.unset,
    });
  }

  /** Writes a moderator's decision on the post (null: there is none), which publishes it with the author's id. */
  async storeDecision(id: string, decision: DecisionFields | null): Promise<void> {
    for (;;) {
      const seen = await this.find(id);
      if (!seen || hasDecision(seen, decision)) return;
      const change = decision?.hidden
        ? { set: { hiddenReason: decision.reason, hiddenAt: decision.decidedAt } }
        : { unset: HIDING_NAMES };
      if (await this.rows.change(seen, change)) return;
    }
  }

  /** The posts that have a moderator's decision; there are few. */
  async listHidden(): Promise<string[]> {
    const hidden = await this.rows.find({ hiddenAt: { $exists: true } }, { projection: { _id: 1 } });
    return hidden.map(({ _id }) => _id);
  }

  /**
   * Brings what media tells of a video into the post that has it, unless the post has newer facts. Returns the post's facts; undefined
   * if no post has the video.
   */
  async storeVideoFacts(facts: VideoFacts): Promise<VideoFacts | undefined> {
    for (;;) {
      const seen = await this.rows.findOne({ videoId: facts.id });
      const known = seen?.videoFacts;
      if (!seen || (known && known.version >= facts.version)) return known;
      if (await this.rows.changeUnpublished(seen, { videoFacts: facts })) return facts;
    }
  }

  /** The posts whose video is still processed, as far as they know, after the post `after`, in the order of their ids. */
  listWithVideoUnderWay(after: string, limit: number): Promise<Pick<PostDocument, '_id' | 'videoId'>[]> {
    return this.rows.find(
      { 'videoFacts.status': VideoStatus.VIDEO_STATUS_PROCESSING, _id: { $gt: after } },
      { sort: { _id: 1 }, limit, projection: { videoId: 1 } },
    );
  }

  /** Whether an author has deleted posts whose comments and likes the sweep has not marked yet. */
  async isErasingOf(authorId: string): Promise<boolean> {
    const found = await this.rows.find(
      { authorId, live: false, erasing: true },
      { projection: { _id: 1 }, limit: 1 },
    );
    return found.length > 0;
  }

  /** Deleted posts whose comments and likes the sweep has not marked yet. */
  listErasing(limit: number): Promise<PostDocument[]> {
    return this.rows.find({ erasing: true }, { limit });
  }

  erased(id: string): Promise<void> {
    return this.rows.setUnpublished({ _id: id }, { unset: ['erasing'] });
  }

  /** Makes the sweep process a deleted post again. */
  eraseAgain(id: string): Promise<void> {
    return this.rows.setUnpublished({ _id: id, live: false }, { set: { erasing: true } });
  }
}
