import { Injectable } from '@nestjs/common';
import { postMediaTicket } from '@pulso/contracts/media-tickets';
import type { Post, PublishPostRequest } from '@pulso/contracts/posts/v1/posts';
import { TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { requireCaller } from '@pulso/platform/context/request-context';
import type { AnswerCodec } from '@pulso/platform/idempotency/answer-codec';
import { IdempotentInserts } from '@pulso/platform/mongo/idempotent-insert';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { Mentions } from '../mention/mentions.js';
import { KnownUsers } from '../projections/known-users.js';
import { attach, type AttachedImage } from '../store/attached-image.js';
import { FIRST_MEDIA_EPOCH, readNewPost } from '../store/post.js';
import { PostRepository } from '../store/post.repository.js';
import type { PostDraft } from '../store/post.schema.js';
import { requireCoachFor } from '../store/visibility.js';
import { CachedPost } from './cached-post.js';
import { mediaNotAttachable } from './post-errors.js';
import { PostViews } from './post-view.js';
import { storedPost } from './stored-post.js';

/** What the caller wants to publish, checked. */
interface Publication {
  /** The id for which media has claimed the images; undefined without images. */
  id: string | undefined;
  authorId: string;
  draft: PostDraft;
  /** Undefined if the ticket does not grant them. */
  images: AttachedImage[] | undefined;
}

/**
 * `POST /api/posts`: creates a post by the caller. Only coaches can publish subscribers-only posts. Images need media's
 * ticket, which also names the post's id, so that a repetition attaches them to the same post (MEDIA-17).
 */
@Injectable()
export class PublishPost {
  constructor(
    private readonly posts: PostRepository,
    private readonly users: KnownUsers,
    private readonly mentions: Mentions,
    private readonly inserts: IdempotentInserts,
    private readonly tickets: TicketVerifier,
    private readonly views: PostViews,
  ) {}

  async execute(request: PublishPostRequest): Promise<Post> {
    const { userId } = requireCaller();
    const { video, ticket, idempotency } = request;
    const { draft, choices } = readNewPost(request);
    const grant =
      choices.length > 0 ? await this.tickets.verify(postMediaTicket, userId, ticket ?? '') : undefined;
    const images = video ? undefined : attach(choices, grant?.images ?? []);
    const publication = { id: grant?.postId, authorId: userId, draft, images };
    const codec = this.answerCodec(publication);
    const options = { request: idempotency, callerId: userId, codec, rows: this.posts.rows };
    try {
      return await this.inserts.once(options, (stamp) => this.create(publication, stamp));
    } catch (error) {
      // The ticket's post is there already, under another key or one that was forgotten after 24 h.
      if (grant && isDuplicateKey(error)) throw mediaNotAttachable();
      throw error;
    }
  }

  private async create(
    { id, authorId, draft, images }: Publication,
    stamp: (answer: Post) => object,
  ): Promise<Post> {
    const author = await this.users.requireCaller(authorId);
    requireCoachFor(draft.visibility, author);
    if (!images) throw mediaNotAttachable();
    const mentionedIds = await this.mentions.inPost({ authorId, ...draft });
    const post = this.posts.newPost({ id, authorId, draft, images, mentionedIds });
    const answer = this.views.of(CachedPost.of(post), author.author, 'open', { id: authorId, likes: false });
    await this.posts.rows.insert({ ...post, ...stamp(answer) });
    return answer;
  }

  /** Each repetition of the request has the draft again, and a ticket with the images while the post has them. */
  private answerCodec({ id = '', draft, images = [] }: Publication): AnswerCodec<Post> {
    const post = { _id: id, images, mediaEpoch: FIRST_MEDIA_EPOCH, visibility: draft.visibility };
    return storedPost(draft, () => this.views.images(post));
  }
}
