import { Injectable } from '@nestjs/common';
import type { EditPostRequest, Post } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../access/known-users.js';
import { ViewerLikes } from '../like/viewer-likes.js';
import { PostBody, readEditedContent } from './post.js';
import { PostGuard } from './post-guard.js';
import { viewPost } from './post-view.js';
import { PostRepository } from './post.repository.js';
import type { PostDocument } from './post.schema.js';
import { readVisibility, requireCoachFor } from './visibility-field.js';

type Edit = Partial<Pick<PostDocument, 'content' | 'visibility'>>;

/** `PATCH /api/posts/{id}`: the author changes text or visibility; a request that changes nothing is not an edit. */
@Injectable()
export class EditPost {
  constructor(
    private readonly posts: PostRepository,
    private readonly guard: PostGuard,
    private readonly users: KnownUsers,
    private readonly likes: ViewerLikes,
    private readonly clock: Clock,
  ) {}

  async execute({ id, content: input, visibility: wanted }: EditPostRequest): Promise<Post> {
    const { userId } = requireCaller();
    const content = input === undefined ? undefined : readEditedContent(input);
    const visibility = readVisibility(wanted);
    const author = await this.users.requireActive(userId);
    for (;;) {
      const { post, reader } = await this.guard.see(id);
      if (post.authorId !== userId) throw permissionDenied('Only the author can edit a post.');
      const change = changesOf(post, { content, visibility });
      if (change?.visibility) requireCoachFor(change.visibility, author);
      if (!change) this.posts.rows.stands(post);
      const edited = change ? await this.write(post, change) : post;
      if (!edited) continue;
      const liked = await this.likes.among(reader!.viewer, [id]);
      return viewPost(PostBody.of(edited), author.author, 'open', { id: userId, likes: liked.has(id) });
    }
  }

  private write(post: PostDocument, change: Edit): Promise<PostDocument | null> {
    const editedAt = new Date(this.clock.now());
    return this.posts.rows.change(post, { set: { ...change, editedAt, updatedAt: editedAt } });
  }
}

/** The fields whose requested values are new; undefined when none is. */
function changesOf(post: PostDocument, { content, visibility }: Edit): Edit | undefined {
  const change = {
    ...(content === undefined || content === post.content ? {} : { content }),
    ...(visibility === undefined || visibility === post.visibility ? {} : { visibility }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}
