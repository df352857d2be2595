import type { DeletePostRequest } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { postTopic } from '@pulso/contracts/topics/posts';
import type { Clock } from '@pulso/platform/time/clock';
import type { LivePosts } from '../feed/live-posts.js';
import type { Publication } from '../store/publication.js';
import type { EraseTraces } from './erase-traces.job.js';
import type { PostGuard } from './post-guard.js';
import type { PostRepository } from './post.repository.js';

/** `DELETE /api/posts/{id}`, by its author. It is gone at once; its comments and likes follow in the background. */
export class DeletePost {
  constructor(
    private readonly posts: PostRepository,
    private readonly guard: PostGuard,
    private readonly livePosts: LivePosts,
    private readonly eraseTraces: EraseTraces,
    private readonly publication: Publication,
    private readonly clock: Clock,
  ) {}

  async execute({ id }: DeletePostRequest): Promise<void> {
    const { userId } = requireCaller();
    for (;;) {
      const { post } = await this.guard.see(id);
      if (post.authorId !== userId) throw permissionDenied('Only the author can delete a post.');
      const deletedAt = new Date(this.clock.now());
      const deleted = await this.posts.change(post, {
        set: { live: false, deletedAt, content: '', likeCount: 0, commentCount: 0, erasing: true },
        publish: true,
      });
      if (!deleted) continue;
      this.livePosts.apply(deleted);
      this.publication.committed(postTopic, deleted._id, deleted.version);
      this.eraseTraces.nudge();
      return;
    }
  }
}
