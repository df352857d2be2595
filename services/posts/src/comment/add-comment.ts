import { Injectable } from '@nestjs/common';
import type { AddCommentRequest, Comment } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { IdempotentInserts } from '@pulso/platform/mongo/idempotent-insert';
import { Mentions } from '../mention/mentions.js';
import { PostGuard, postNotFound } from '../post/post-guard.js';
import { KnownUsers } from '../projections/known-users.js';
import { requireOpen } from '../projections/viewer-access.js';
import { readNewComment } from '../store/comment.js';
import { CommentRepository } from '../store/comment.repository.js';
import { RowCounting } from '../store/row-counting.js';
import { viewComment } from './comment-view.js';
import { storedComment } from './stored-comment.js';

/** `POST /api/posts/{id}/comments`, on a post that the caller has access to. */
@Injectable()
export class AddComment {
  constructor(
    private readonly comments: CommentRepository,
    private readonly guard: PostGuard,
    private readonly users: KnownUsers,
    private readonly rowCounting: RowCounting,
    private readonly mentions: Mentions,
    private readonly inserts: IdempotentInserts,
  ) {}

  async execute(request: AddCommentRequest): Promise<Comment> {
    const { userId } = requireCaller();
    const { postId, idempotency } = request;
    const draft = readNewComment(request);
    const codec = storedComment(draft, async () => (await this.users.requireCaller(userId)).author);
    const options = { request: idempotency, callerId: userId, codec, rows: this.comments.rows };
    return this.inserts.once(options, async (stamp) => {
      const { post, access } = await this.guard.loadVisible(postId);
      requireOpen(access);
      const { author } = await this.users.requireCaller(userId);
      const row = this.comments.newComment({
        postId,
        postAuthorId: post.authorId,
        authorId: userId,
        ...draft,
        mentionedIds: await this.mentions.inComment({ authorId: userId, ...draft }, post),
      });
      const answer = viewComment(row, author, false);
      const comment = await this.comments.rows.insert({ ...row, ...stamp(answer) });
      if (!(await this.rowCounting.countComment(comment))) {
        // The post was deleted concurrently, and the sweep over its comments may already have run.
        await this.comments.takeBack(comment);
        throw postNotFound();
      }
      return answer;
    });
  }
}
