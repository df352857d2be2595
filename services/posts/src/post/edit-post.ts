import { Injectable } from '@nestjs/common';
import { postMediaTicket } from '@pulso/contracts/media-tickets';
import type { EditPostRequest, Post } from '@pulso/contracts/posts/v1/posts';
import { TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { requireCaller } from '@pulso/platform/context/request-context';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { Clock } from '@pulso/platform/time/clock';
import { Mentions } from '../mention/mentions.js';
import { KnownUsers } from '../projections/known-users.js';
import { attach, type AttachedImage, isSame } from '../store/attached-image.js';
import { hasVideo, VIDEO_FIELDS } from '../store/attached-video.js';
import { changesOf, FIRST_MEDIA_EPOCH, isEmpty, readEdit, requireOneKindOfMedia } from '../store/post.js';
import { PostRepository } from '../store/post.repository.js';
import type { PostDocument, PostDraft } from '../store/post.schema.js';
import { ViewerLikes } from '../store/viewer-likes.js';
import { requireCoachFor } from '../store/visibility.js';
import { CachedPost } from './cached-post.js';
import { emptyEdit, mediaNotAttachable } from './post-errors.js';
import { PostGuard } from './post-guard.js';
import { PostViews } from './post-view.js';

type Change = Partial<PostDraft> & { images?: AttachedImage[] };

/**
 * `PATCH /api/posts/{id}`: the author changes text, visibility or images, or removes the video; a request that changes nothing is
 * not an edit.
 * An image that the post does not have yet needs media's ticket (MEDIA-17).
 */
@Injectable()
export class EditPost {
  constructor(
    private readonly posts: PostRepository,
    private readonly guard: PostGuard,
    private readonly users: KnownUsers,
    private readonly likes: ViewerLikes,
    private readonly mentions: Mentions,
    private readonly tickets: TicketVerifier,
    private readonly views: PostViews,
    private readonly clock: Clock,
  ) {}

  async execute(request: EditPostRequest): Promise<Post> {
    const { userId } = requireCaller();
    const { id, ticket, removeVideo = false } = request;
    const { draft, choices } = readEdit(request);
    const author = await this.users.requireCaller(userId);
    const grant =
      ticket === undefined ? undefined : await this.tickets.verify(postMediaTicket, userId, ticket);
    const granted = grant?.postId === id ? grant.images : [];
    for (;;) {
      const { post, reader } = await this.guard.loadVisible(id);
      if (post.authorId !== userId) throw permissionDenied('Only the author can edit a post.');
      const { images: before = [] } = post;
      const fields = changesOf(post, draft);
      const { videoFacts, videoLink } = removeVideo ? {} : post;
      const wanted = { ...post, ...fields, images: choices ?? before, videoFacts, videoLink };
      if (isEmpty(wanted)) throw emptyEdit();
      requireOneKindOfMedia(wanted);
      if (fields.visibility) requireCoachFor(fields.visibility, author);
      const images = choices && attach(choices, [...granted, ...before]);
      if (choices && !images) throw mediaNotAttachable();
      const change = images && !isSame(images, before) ? { ...fields, images } : fields;
      const removed = removeVideo && hasVideo(post) ? VIDEO_FIELDS : [];
      const isChanged = Object.keys(change).length > 0 || removed.length > 0;
      if (!isChanged) this.posts.rows.recordUnchanged(post);
      const edited = isChanged ? await this.write(post, change, removed) : post;
      if (!edited) continue;
      const liked = await this.likes.among(reader!.viewer, [id]);
      return this.views.of(CachedPost.of(edited), author.author, 'open', {
        id: userId,
        likes: liked.has(id),
      });
    }
  }

  private async write(
    post: PostDocument,
    change: Change,
    removed: readonly (typeof VIDEO_FIELDS)[number][],
  ): Promise<PostDocument | null> {
    const mentionedIds = await this.mentions.inPost({ ...post, ...change });
    const editedAt = new Date(this.clock.now());
    // Addresses that were signed before open nothing any more (MEDIA-19).
    const mediaEpoch = (post.mediaEpoch ?? FIRST_MEDIA_EPOCH) + (change.visibility ? 1 : 0);
    const set = { ...change, mentionedIds, mediaEpoch, editedAt, updatedAt: editedAt };
    return this.posts.rows.change(post, { set, unset: removed });
  }
}
