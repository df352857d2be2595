import { Injectable } from '@nestjs/common';
import type { Post, PublishPostRequest } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import type { AnswerCodec } from '@pulso/platform/idempotency/answer-codec';
import { IdempotentInserts } from '@pulso/platform/mongo/idempotent-insert';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { Mentions } from '../mention/mentions.js';
import { KnownUsers } from '../projections/known-users.js';
import { KnownVideos } from '../projections/known-videos.js';
import type { AttachedImage } from '../store/attached-image.js';
import type { VideoFields } from '../store/attached-video.js';
import { FIRST_MEDIA_EPOCH, readNewPost } from '../store/post.js';
import { PostRepository } from '../store/post.repository.js';
import type { PostDraft } from '../store/post.schema.js';
import { requireCoachFor } from '../store/visibility.js';
import { CachedPost } from './cached-post.js';
import { GrantedMedia } from './granted-media.js';
import { mediaNotAttachable } from './post-errors.js';
import { PostViews } from './post-view.js';
import { storedPost } from './stored-post.js';

/** What the caller wants to publish, checked. */
interface Publication {
  /** The id for which media has claimed images or a video; undefined without them. */
  id: string | undefined;
  authorId: string;
  draft: PostDraft;
  /** Undefined if the ticket does not grant them. */
  media: { images: AttachedImage[]; video: VideoFields } | undefined;
}

/**
 * `POST /api/posts`: creates a post by the caller. Only coaches can publish subscribers-only posts. Images and uploaded
 * videos need media's ticket, which also names the post's id, so that a repetition attaches them to the same post (MEDIA-17).
 */
@Injectable()
export class PublishPost {
  constructor(
    private readonly posts: PostRepository,
    private readonly users: KnownUsers,
    private readonly mentions: Mentions,
    private readonly inserts: IdempotentInserts,
    private readonly granted: GrantedMedia,
    private readonly videos: KnownVideos,
    private readonly views: PostViews,
  ) {}

  async execute(request: PublishPostRequest): Promise<Post> {
    const { userId } = requireCaller();
    const { ticket, idempotency, withMedia = false } = request;
    const { draft, ...wanted } = readNewPost(request);
    const { postId, images, video } = await this.granted.of(wanted, ticket, userId);
    // A gateway from before there were videos has one, and cannot say which.
    const media = withMedia ? undefined : images && video && { images, video };
    const publication = { id: postId, authorId: userId, draft, media };
    const codec = this.answerCodec(publication);
    const options = { request: idempotency, callerId: userId, codec, rows: this.posts.rows };
    try {
      const answer = await this.inserts.once(options, (stamp) => this.create(publication, stamp));
      return video?.videoId === undefined
        ? answer
        : await this.withNewestVideo(answer, video.videoId, publication);
    } catch (error) {
      // The ticket's post is there already, under another key or one that was forgotten after 24 h.
      if (postId !== undefined && isDuplicateKey(error)) throw mediaNotAttachable();
      throw error;
    }
  }

  private async create(
    { id, authorId, draft, media }: Publication,
    stamp: (answer: Post) => object,
  ): Promise<Post> {
    const author = await this.users.requireCaller(authorId);
    requireCoachFor(draft.visibility, author);
    if (!media) throw mediaNotAttachable();
    const mentionedIds = await this.mentions.inPost({ authorId, ...draft });
    const post = this.posts.newPost({ id, authorId, draft, ...media, mentionedIds });
    const answer = this.views.of(CachedPost.of(post), author.author, 'open', { id: authorId, likes: false });
    await this.posts.rows.insert({ ...post, ...stamp(answer) });
    return answer;
  }

  /** The worker may have ended with the video before the post was there to be told of it. */
  private async withNewestVideo(answer: Post, videoId: string, publication: Publication): Promise<Post> {
    const videoFacts = await this.videos.bringUpToDate(videoId);
    if (!videoFacts || videoFacts.version === answer.video?.upload?.facts?.version) return answer;
    return { ...answer, ...this.mediaOf(publication, { videoFacts }) };
  }

  /** Each repetition of the request has the draft again, and a ticket with images or video while the post has them. */
  private answerCodec(publication: Publication): AnswerCodec<Post> {
    return storedPost(
      publication.draft,
      async () => (await this.users.requireCaller(publication.authorId)).author,
      () => this.mediaOf(publication),
    );
  }

  /** Images and video as the author sees them, with addresses. */
  private mediaOf({ id = '', authorId, draft, media }: Publication, video: VideoFields = media?.video ?? {}) {
    const { images = [] } = media ?? {};
    const { visibility } = draft;
    const post = { _id: id, authorId, images, ...video, mediaEpoch: FIRST_MEDIA_EPOCH, visibility };
    return { images: this.views.images(post), video: this.views.video(post, authorId) };
  }
}
