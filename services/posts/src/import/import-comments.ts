import { Injectable } from '@nestjs/common';
import { IMPORT, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import type { CommentToImport, ImportCommentsRequest, ImportedRows } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { derivedId, isId } from '@pulso/platform/ids/uuid-v7';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { Clock } from '@pulso/platform/time/clock';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import { KnownUsers } from '../projections/known-users.js';
import { type CommentDraft, readComment } from '../store/comment.js';
import { CommentRepository } from '../store/comment.repository.js';
import { ImportRepository } from '../store/import.repository.js';
import { PostRepository } from '../store/post.repository.js';
import { RowCounting } from '../store/row-counting.js';
import { CountedWrites, type Outcome } from './counted-writes.js';
import { checkSourceId } from './source-id.js';

/** A comment of the archive, checked. */
interface CommentAsWanted extends CommentDraft {
  id: string;
  postId: string;
  textBytes: number;
}

/**
 * `POST /api/me/import/comments`: comments of the caller from elsewhere, on posts that the caller has imported (ACCT-46). All are checked
 * before the first one is written. Nobody is told of them.
 */
@Injectable()
export class ImportComments {
  constructor(
    private readonly comments: CommentRepository,
    private readonly posts: PostRepository,
    private readonly imports: ImportRepository,
    private readonly writes: CountedWrites,
    private readonly users: KnownUsers,
    private readonly rowCounting: RowCounting,
    private readonly clock: Clock,
  ) {}

  async execute({ comments }: ImportCommentsRequest): Promise<ImportedRows> {
    const { userId } = requireCaller();
    const begunAt = await this.imports.begunAt(userId);
    const wanted = readComments(comments, userId, begunAt ?? this.clock.now());
    await this.users.requireCaller(userId);
    const postIds = [...new Set(wanted.map(({ postId }) => postId))];
    const [posts, known] = await Promise.all([
      this.posts.liveAmong(userId, postIds),
      this.comments.liveAmong(
        userId,
        wanted.map(({ id }) => id),
      ),
    ]);
    requirePosts(wanted, posts);
    const missing = wanted.filter(({ id, postId }) => !known.has(id) && posts.get(postId));
    const outcomes = await this.writes.writeAll(userId, 'comments', missing, {
      write: (comment) => this.write(comment, userId),
      find: (failed) => this.comments.liveAmong(userId, failed),
    });
    const gone = new Set(missing.filter((_, index) => outcomes[index] === 'gone').map(({ id }) => id));
    const isThere = ({ id, postId }: CommentAsWanted) =>
      known.get(id) !== false && posts.get(postId) && !gone.has(id);
    return { ids: wanted.map((comment) => (isThere(comment) ? comment.id : '')) };
  }

  private async write({ id: _id, postId, content }: CommentAsWanted, userId: string): Promise<Outcome> {
    const row = this.comments.newComment(
      { postId, postAuthorId: userId, authorId: userId, content, mentionedIds: [] },
      { _id, importedAt: new Date(this.clock.now()) },
    );
    try {
      const comment = await this.comments.rows.insert(row);
      if (await this.rowCounting.countComment(comment)) return 'written';
      // The post was deleted concurrently, and the sweep over its comments may already have run.
      await this.comments.takeBack(comment);
      return 'gone';
    } catch (error) {
      if (isDuplicateKey(error)) return 'there';
      throw error;
    }
  }
}

/** Throws `validation-failed` with the problems of all comments; `begunAt` in ms. */
function readComments(
  comments: readonly CommentToImport[],
  userId: string,
  begunAt: number,
): CommentAsWanted[] {
  const problems = new FieldProblems();
  if (comments.length > IMPORT.commentsAtOnce)
    problems.add('comments', 'too-many', VALIDATION_MESSAGES.tooManyComments);
  problems.check();
  const read = comments.map(({ sourceId, postSourceId, content }, index) => {
    const own = problems.within(`comments.${index}`);
    checkSourceId(sourceId, begunAt, own);
    return { sourceId, postSourceId, ...readComment({ content }, own) };
  });
  problems.check();
  return read.map(({ sourceId, postSourceId, content }) => ({
    id: derivedId(userId, sourceId),
    // What is no id leads to no post.
    postId: isId(postSourceId) ? derivedId(userId, postSourceId) : '',
    content,
    textBytes: Buffer.byteLength(content),
  }));
}

/** Each post must have been imported, be it deleted since. Throws `validation-failed`. */
function requirePosts(comments: readonly CommentAsWanted[], posts: ReadonlyMap<string, boolean>): void {
  const problems = new FieldProblems();
  for (const [index, { postId }] of comments.entries())
    if (!posts.has(postId))
      problems.add(`comments.${index}.postSourceId`, 'unknown', VALIDATION_MESSAGES.postNotImported);
  problems.check();
}
