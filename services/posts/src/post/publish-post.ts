import { Injectable } from '@nestjs/common';
import { Post, type PublishPostRequest } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { answerWithoutText } from '@pulso/platform/idempotency/answer-codec';
import { IdempotentInserts } from '@pulso/platform/mongo/idempotent-insert';
import { KnownUsers } from '../access/known-users.js';
import { PostBody, readNewContent } from './post.js';
import { viewPost } from './post-view.js';
import { PostRepository } from './post.repository.js';
import { readVisibility, requireCoachFor } from './visibility-field.js';

/** `POST /api/posts`: creates a text post by the caller. Only coaches can publish subscribers-only posts. */
@Injectable()
export class PublishPost {
  constructor(
    private readonly posts: PostRepository,
    private readonly users: KnownUsers,
    private readonly inserts: IdempotentInserts,
  ) {}

  execute({ content: input, visibility: wanted, idempotency }: PublishPostRequest): Promise<Post> {
    const { userId } = requireCaller();
    const content = readNewContent(input);
    const visibility = readVisibility(wanted) ?? 'public';
    const codec = answerWithoutText(Post, content, (answer, text) => ({ ...answer, content: text }));
    const options = { request: idempotency, callerId: userId, codec, rows: this.posts.rows };
    return this.inserts.once(options, async (stamp) => {
      const author = await this.users.requireActive(userId);
      requireCoachFor(visibility, author);
      const post = this.posts.newPost({ authorId: userId, content, visibility });
      const answer = viewPost(PostBody.of(post), author.author, 'open', { id: userId, likes: false });
      await this.posts.rows.insert({ ...post, ...stamp(answer) });
      return answer;
    });
  }
}
