import { Injectable } from '@nestjs/common';
import { IMPORT, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import {
  type ImportedRows,
  type ImportPostsRequest,
  type PostToImport,
  PublishPostRequest,
} from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { derivedId, timeOfId } from '@pulso/platform/ids/uuid-v7';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { Clock } from '@pulso/platform/time/clock';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import { GrantedMedia } from '../post/granted-media.js';
import { mediaNotAttachable } from '../post/post-errors.js';
import { KnownUsers } from '../projections/known-users.js';
import { KnownVideos } from '../projections/known-videos.js';
import { ImportRepository } from '../store/import.repository.js';
import { type NewPost, readPost, type WantedPost } from '../store/post.js';
import { PostRepository } from '../store/post.repository.js';
import { requireCoachFor } from '../store/visibility.js';
import { CountedWrites, type Outcome } from './counted-writes.js';
import { checkSourceId } from './source-id.js';

/** A post of the archive, checked. */
interface PostAsWanted extends WantedPost {
  /** Follows from the author and the archive, so that a repetition finds what is there. */
  id: string;
  editedAt: Date | undefined;
  ticket: string | undefined;
}

/**
 * `POST /api/me/import/posts`: posts of the caller from elsewhere, under the rules of a new post (ACCT-46). All are checked before the
 * first one is written. Nobody is told of them.
 */
@Injectable()
export class ImportPosts {
  constructor(
    private readonly posts: PostRepository,
    private readonly imports: ImportRepository,
    private readonly writes: CountedWrites,
    private readonly users: KnownUsers,
    private readonly media: GrantedMedia,
    private readonly videos: KnownVideos,
    private readonly clock: Clock,
  ) {}

  async execute({ posts }: ImportPostsRequest): Promise<ImportedRows> {
    const { userId } = requireCaller();
    const now = this.clock.now();
    const begunAt = await this.imports.begunAt(userId);
    const wanted = readPosts(posts, userId, { now, begunAt: begunAt ?? now });
    const author = await this.users.requireCaller(userId);
    for (const { draft } of wanted) requireCoachFor(draft.visibility, author);
    const ids = wanted.map(({ id }) => id);
    const known = await this.posts.liveAmong(userId, ids);
    const missing = wanted.filter(({ id }) => !known.has(id));
    const rows = await Promise.all(missing.map((post) => this.rowOf(post, userId)));
    const counted = rows.map((row) => ({ id: row._id, textBytes: textBytesOf(row), row }));
    await this.writes.writeAll(userId, 'posts', counted, {
      write: ({ row }) => this.insert(row),
      find: (failed) => this.posts.liveAmong(userId, failed),
    });
    return { ids: ids.map((id) => (known.get(id) === false ? '' : id)) };
  }

  private async rowOf({ id, editedAt, draft, ticket, ...wanted }: PostAsWanted, authorId: string) {
    const { postId = id, images, video } = await this.media.of(wanted, ticket, authorId);
    if (postId !== id || !images || !video) throw mediaNotAttachable();
    const imported = { importedAt: new Date(this.clock.now()), editedAt };
    return this.posts.newPost({ id, authorId, draft, images, video, mentionedIds: [], imported });
  }

  private async insert(row: NewPost): Promise<Outcome> {
    try {
      await this.posts.rows.insert(row);
    } catch (error) {
      if (isDuplicateKey(error)) return 'there';
      throw error;
    }
    // The worker may have ended with the video before the post was there to be told of it.
    if (row.videoId !== undefined) await this.videos.bringUpToDate(row.videoId);
    return 'written';
  }
}

/** All that its author has written, in UTF-8. */
function textBytesOf({ content, images = [], videoLink: link }: NewPost): number {
  const ofImages = images.flatMap(({ alt, caption, originalName }) => [alt, caption, originalName]);
  return Buffer.byteLength([content, ...ofImages, link?.url, link?.originalUrl].join(''));
}

/** Throws `validation-failed` with the problems of all posts; times in ms. */
function readPosts(
  posts: readonly PostToImport[],
  authorId: string,
  { now, begunAt }: { now: number; begunAt: number },
): PostAsWanted[] {
  const problems = new FieldProblems();
  if (posts.length > IMPORT.postsAtOnce) problems.add('posts', 'too-many', VALIDATION_MESSAGES.tooManyPosts);
  problems.check();
  const read = posts.map(({ sourceId, editedAt, post = PublishPostRequest.create() }, index) => {
    const own = problems.within(`posts.${index}`);
    checkSourceId(sourceId, begunAt, own);
    const wanted = readPost(post, own);
    if (editedAt !== undefined && !(editedAt >= timeOfId(sourceId) && editedAt <= now))
      own.add('editedAt', 'out-of-range', VALIDATION_MESSAGES.editedAt);
    return { ...wanted, sourceId, editedAt, ticket: post.ticket };
  });
  problems.check();
  return read.map(({ sourceId, editedAt, ...post }) => ({
    ...post,
    id: derivedId(authorId, sourceId),
    editedAt: editedAt === undefined ? undefined : new Date(editedAt),
  }));
}
