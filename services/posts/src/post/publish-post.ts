import { Post, type PublishPostRequest } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { postTopic } from '@pulso/contracts/topics/posts';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { Clock } from '@pulso/platform/time/clock';
import type { LivePosts } from '../feed/live-posts.js';
import type { Visibility } from '../feed-index/feed-ranking.js';
import type { Users } from '../projection/users.js';
import { type IdempotencyFields, createOnce } from '../store/idempotency.js';
import type { Publication } from '../store/publication.js';
import { PostBody, readNewContent } from './post.js';
import { viewPost } from './post-view.js';
import type { NewPost, PostRepository } from './post.repository.js';
import { readVisibility, requireCoachFor } from './visibility-field.js';

/** `POST /api/posts`: a text post by the caller; subscribers-only ones by coaches alone. */
export class PublishPost {
  constructor(
    private readonly posts: PostRepository,
    private readonly users: Users,
    private readonly livePosts: LivePosts,
    private readonly publication: Publication,
    private readonly clock: Clock,
  ) {}

  execute({ content: input, visibility, idempotency }: PublishPostRequest): Promise<Post> {
    const { userId } = requireCaller();
    const content = readNewContent(input);
    const wanted = readVisibility(visibility) ?? 'public';
    return createOnce<Post>({
      request: idempotency,
      viewerId: userId,
      rows: this.posts,
      codec: Post,
      clock: this.clock,
      content,
      create: (stamp) => this.create(userId, content, wanted, stamp),
    });
  }

  private async create(
    userId: string,
    content: string,
    visibility: Visibility,
    stamp: (answer: Post) => IdempotencyFields,
  ): Promise<Post> {
    const author = await this.users.requireActive(userId);
    requireCoachFor(visibility, author);
    const now = this.clock.now();
    const createdAt = new Date(now);
    const draft: NewPost = {
      _id: newIdAt(now),
      authorId: userId,
      content,
      visibility,
      likeCount: 0,
      commentCount: 0,
      createdAt,
      updatedAt: createdAt,
    };
    const body = PostBody.of({ ...draft, version: 0, live: true, changedAt: createdAt });
    const answer = viewPost(body, author.author, 'open', { id: userId, likes: false });
    const post = await this.posts.insert({ ...draft, ...stamp(answer) });
    this.livePosts.apply(post);
    this.publication.committed(postTopic, post._id, post.version);
    return answer;
  }
}
