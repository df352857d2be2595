import { Injectable } from '@nestjs/common';
import { postImagesTicket } from '@pulso/contracts/media-tickets';
import type { ImageChoice, Post, PublishPostRequest } from '@pulso/contracts/posts/v1/posts';
import { TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { requireCaller } from '@pulso/platform/context/request-context';
import type { AnswerCodec } from '@pulso/platform/idempotency/answer-codec';
import { IdempotentInserts } from '@pulso/platform/mongo/idempotent-insert';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { KnownUsers } from '../projections/known-users.js';
import type { Visibility } from '../feed-index/feed-ranking.js';
import { Mentions } from '../mention/mentions.js';
import { attach, type AttachedImage, readNewImages } from '../store/attached-image.js';
import { mediaNotAttachable } from './post-errors.js';
import { FIRST_MEDIA_EPOCH, PostBody, readNewContent } from '../store/post.js';
import { PostViews } from './post-view.js';
import { PostRepository } from '../store/post.repository.js';
import { storedPost } from './stored-post.js';
import { readVisibility, requireCoachFor } from '../store/visibility.js';

/** What the caller wants to publish, checked. */
interface NewPostInput {
  content: string;
  visibility: Visibility;
  choices: ImageChoice[];
  withMedia: boolean | undefined;
}

/** Media's grant: the id of the post that gets the images, and their facts. */
interface Grant {
  postId: string;
  images: Parameters<typeof attach>[1];
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
    const { withMedia, ticket, idempotency } = request;
    const choices = readNewImages(request.images);
    const content = readNewContent(request.content, withMedia || choices.length > 0);
    const input = {
      content,
      visibility: readVisibility(request.visibility) ?? 'public',
      choices,
      withMedia,
    };
    const grant =
      choices.length > 0 ? await this.tickets.verify(postImagesTicket, userId, ticket ?? '') : undefined;
    const codec = this.answerCodec(input, grant);
    const options = { request: idempotency, callerId: userId, codec, rows: this.posts.rows };
    try {
      return await this.inserts.once(options, (stamp) => this.create(userId, input, grant, stamp));
    } catch (error) {
      // The ticket's post is there already, under another key or one that was forgotten after 24 h.
      if (grant && isDuplicateKey(error)) throw mediaNotAttachable();
      throw error;
    }
  }

  private async create(
    userId: string,
    { content, visibility, choices, withMedia }: NewPostInput,
    grant: Grant | undefined,
    stamp: (answer: Post) => object,
  ): Promise<Post> {
    const author = await this.users.requireCaller(userId);
    requireCoachFor(visibility, author);
    const images = attach(choices, grant?.images ?? []);
    if (withMedia || !images) throw mediaNotAttachable();
    const mentionedIds = await this.mentions.inPost({ authorId: userId, content, visibility });
    const post = this.posts.newPost({
      id: grant?.postId,
      authorId: userId,
      content,
      visibility,
      mentionedIds,
      images,
    });
    const answer = this.views.of(PostBody.of(post), author.author, 'open', { id: userId, likes: false });
    await this.posts.rows.insert({ ...post, ...stamp(answer) });
    return answer;
  }

  /** Each repetition of the request has the text again, and a ticket with the images while the post has them. */
  private answerCodec(
    { content, choices, visibility }: NewPostInput,
    grant: Grant | undefined,
  ): AnswerCodec<Post> {
    const attached: AttachedImage[] = attach(choices, grant?.images ?? []) ?? [];
    const post = { id: grant?.postId ?? '', images: attached, mediaEpoch: FIRST_MEDIA_EPOCH, visibility };
    const images = () => this.views.images(post);
    return storedPost(() => ({ content, images: images() }));
  }
}
