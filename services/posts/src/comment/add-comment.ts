import { type AddCommentRequest, Comment } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { commentTopic } from '@pulso/contracts/topics/posts';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { Clock } from '@pulso/platform/time/clock';
import type { CountKeeper } from '../post/count-keeper.js';
import { type PostGuard, postNotFound } from '../post/post-guard.js';
import type { PostDocument } from '../post/post.schema.js';
import type { RowCounting } from '../post/row-counting.js';
import { requireOpen } from '../post/visibility.js';
import type { Users } from '../projection/users.js';
import { type IdempotencyFields, createOnce } from '../store/idempotency.js';
import type { Publication } from '../store/publication.js';
import { readComment, viewComment } from './comment.js';
import type { CommentRepository, NewComment } from './comment.repository.js';

/** `POST /api/posts/{id}/comments`: on a post that is open to the caller. */
export class AddComment {
  constructor(
    private readonly comments: CommentRepository,
    private readonly guard: PostGuard,
    private readonly users: Users,
    private readonly counts: CountKeeper,
    private readonly rowCounting: RowCounting,
    private readonly publication: Publication,
    private readonly clock: Clock,
  ) {}

  execute({ postId, content: input, idempotency }: AddCommentRequest): Promise<Comment> {
    const { userId } = requireCaller();
    const content = readComment(input);
    return createOnce<Comment>({
      request: idempotency,
      viewerId: userId,
      rows: this.comments,
      codec: Comment,
      clock: this.clock,
      content,
      create: async (stamp) => {
        const { post, access } = await this.guard.see(postId);
        requireOpen(access);
        return this.create(post, userId, content, stamp);
      },
    });
  }

  private async create(
    post: PostDocument,
    userId: string,
    content: string,
    stamp: (answer: Comment) => IdempotencyFields,
  ): Promise<Comment> {
    const { author } = await this.users.requireActive(userId);
    const now = this.clock.now();
    const createdAt = new Date(now);
    const draft: NewComment = {
      _id: newIdAt(now),
      postId: post._id,
      postAuthorId: post.authorId,
      authorId: userId,
      content,
      likeCount: 0,
      createdAt,
      updatedAt: createdAt,
    };
    const answer = viewComment(draft, author, false);
    const comment = await this.comments.insert({ ...draft, ...stamp(answer) });
    if (!(await this.counts.commentsOfPost(post._id))) {
      // The post was deleted meanwhile; what marks its comments may have passed already.
      await this.comments.markDeleted(comment, false);
      throw postNotFound();
    }
    this.rowCounting.noteCounted(comment);
    this.publication.committed(commentTopic, comment._id, comment.version);
    return answer;
  }
}
