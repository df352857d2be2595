import type { EditPostRequest, Post } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { postTopic } from '@pulso/contracts/topics/posts';
import type { Clock } from '@pulso/platform/time/clock';
import type { LivePosts } from '../feed/live-posts.js';
import type { ViewerLikes } from '../like/viewer-likes.js';
import type { Users } from '../projection/users.js';
import type { Publication } from '../store/publication.js';
import { PostBody, readEditedContent } from './post.js';
import type { PostGuard } from './post-guard.js';
import { viewPost } from './post-view.js';
import type { PostRepository } from './post.repository.js';
import type { PostDocument } from './post.schema.js';
import { readVisibility, requireCoachFor } from './visibility-field.js';

/** `PATCH /api/posts/{id}`: the author changes text or visibility; what changes nothing is no edit. */
export class EditPost {
  constructor(
    private readonly posts: PostRepository,
    private readonly guard: PostGuard,
    private readonly users: Users,
    private readonly likes: ViewerLikes,
    private readonly livePosts: LivePosts,
    private readonly publication: Publication,
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
      const edited = change ? await this.write(post, change) : post;
      if (!edited) continue;
      const liked = await this.likes.among(reader!.viewer, [id]);
      return viewPost(PostBody.of(edited), author.author, 'open', { id: userId, likes: liked.has(id) });
    }
  }

  private async write(post: PostDocument, change: Partial<PostDocument>): Promise<PostDocument | null> {
    const editedAt = new Date(this.clock.now());
    const set = { ...change, editedAt, updatedAt: editedAt };
    const edited = await this.posts.change(post, { set, publish: true });
    if (!edited) return null;
    this.livePosts.apply(edited);
    this.publication.committed(postTopic, edited._id, edited.version);
    return edited;
  }
}

/** What of the wanted values is new; undefined when nothing is. */
function changesOf(
  post: PostDocument,
  wanted: Partial<Pick<PostDocument, 'content' | 'visibility'>>,
): Partial<Pick<PostDocument, 'content' | 'visibility'>> | undefined {
  const { content, visibility } = wanted;
  const change = {
    ...(content === undefined || content === post.content ? {} : { content }),
    ...(visibility === undefined || visibility === post.visibility ? {} : { visibility }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}
