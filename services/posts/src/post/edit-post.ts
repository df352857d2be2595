import { Injectable } from '@nestjs/common';
import { postImagesTicket } from '@pulso/contracts/media-tickets';
import type { EditPostRequest, ImageChoice, Post } from '@pulso/contracts/posts/v1/posts';
import { TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { requireCaller } from '@pulso/platform/context/request-context';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../projections/known-users.js';
import { ViewerLikes } from '../store/viewer-likes.js';
import { Mentions } from '../mention/mentions.js';
import { attach, isSame, readEditedImages } from '../store/attached-image.js';
import { emptyEdit, mediaNotAttachable } from './post-errors.js';
import { FIRST_MEDIA_EPOCH, PostBody, readContent } from '../store/post.js';
import { PostGuard } from './post-guard.js';
import { PostViews } from './post-view.js';
import { PostRepository } from '../store/post.repository.js';
import type { PostDocument } from '../store/post.schema.js';
import { readVisibility, requireCoachFor } from '../store/visibility.js';

type Edit = Partial<Pick<PostDocument, 'content' | 'visibility' | 'images'>>;

/** What the caller wants; absent fields stay as they are. */
interface Wanted {
  content: string | undefined;
  visibility: PostDocument['visibility'] | undefined;
  choices: ImageChoice[] | undefined;
}

/**
 * `PATCH /api/posts/{id}`: the author changes text, visibility or images; a request that changes nothing is not an edit.
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

  async execute({ id, withMedia, ticket, ...request }: EditPostRequest): Promise<Post> {
    const { userId } = requireCaller();
    const wanted: Wanted = {
      content: request.content === undefined ? undefined : readContent(request.content),
      visibility: readVisibility(request.visibility),
      choices: request.images && readEditedImages(request.images.items),
    };
    const author = await this.users.requireCaller(userId);
    const grant =
      ticket === undefined ? undefined : await this.tickets.verify(postImagesTicket, userId, ticket);
    const granted = grant?.postId === id ? grant.images : [];
    for (;;) {
      const { post, reader } = await this.guard.see(id);
      if (post.authorId !== userId) throw permissionDenied('Only the author can edit a post.');
      if (leavesNothing(post, wanted)) throw emptyEdit();
      if (wanted.visibility && wanted.visibility !== post.visibility) {
        requireCoachFor(wanted.visibility, author);
      }
      const images = wanted.choices && attach(wanted.choices, [...granted, ...(post.images ?? [])]);
      if (withMedia || (wanted.choices && !images)) throw mediaNotAttachable();
      const change = changesOf(post, { ...wanted, images });
      if (!change) this.posts.rows.stands(post);
      const edited = change ? await this.write(post, change) : post;
      if (!edited) continue;
      const liked = await this.likes.among(reader!.viewer, [id]);
      return this.views.of(PostBody.of(edited), author.author, 'open', { id: userId, likes: liked.has(id) });
    }
  }

  private async write(post: PostDocument, change: Edit): Promise<PostDocument | null> {
    const mentionedIds = await this.mentions.inPost({ ...post, ...change });
    const editedAt = new Date(this.clock.now());
    // Addresses that were signed before open nothing any more (MEDIA-19).
    const mediaEpoch = (post.mediaEpoch ?? FIRST_MEDIA_EPOCH) + (change.visibility ? 1 : 0);
    const set = { ...change, mentionedIds, mediaEpoch, editedAt, updatedAt: editedAt };
    return this.posts.rows.change(post, { set });
  }
}

/** Whether the edited post would have neither text nor image (POST-4, POST-5). */
function leavesNothing(post: PostDocument, { content, choices }: Wanted): boolean {
  return (content ?? post.content) === '' && (choices ?? post.images ?? []).length === 0;
}

/** The fields whose requested values are new; undefined when none is. */
function changesOf(post: PostDocument, { content, visibility, images }: Edit): Edit | undefined {
  const change = {
    ...(content === undefined || content === post.content ? {} : { content }),
    ...(visibility === undefined || visibility === post.visibility ? {} : { visibility }),
    ...(images === undefined || isSame(images, post.images ?? []) ? {} : { images }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}
