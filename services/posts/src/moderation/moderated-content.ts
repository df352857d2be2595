import { Injectable } from '@nestjs/common';
import { VideoStatus } from '@pulso/contracts/media/v1/media';
import type { PostVideo } from '@pulso/contracts/posts/v1/posts';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { commentNotFound } from '../comment/comment-guard.js';
import { postNotFound } from '../post/post-guard.js';
import { PostViews } from '../post/post-view.js';
import { KnownUsers } from '../projections/known-users.js';
import { CommentRepository } from '../store/comment.repository.js';
import { FIRST_MEDIA_EPOCH } from '../store/post.js';
import { PostRepository } from '../store/post.repository.js';
import {
  type ModeratedComment,
  type ModeratedPost,
  type ModeratedText,
  type ModeratedVideo,
  ownFieldsOf,
  type VisibleComment,
  type VisiblePost,
} from './moderated-text.js';

/** Comments that are shown before and after the reported one. */
const NEIGHBOURS_EACH_SIDE = 3;

/** What moderators read before they decide (PEOPLE-36): reports name subjects by id only. */
@Injectable()
export class ModeratedContent {
  constructor(
    private readonly posts: PostRepository,
    private readonly comments: CommentRepository,
    private readonly users: KnownUsers,
    private readonly views: PostViews,
  ) {}

  /** Throws `not-found` for an id of no post. */
  async post(id: string): Promise<ModeratedPost> {
    const post = isId(id) ? await this.posts.findEvenDeleted(id) : null;
    if (!post) throw postNotFound();
    return this.postText(post);
  }

  /** Throws `not-found` for an id of no comment. */
  async comment(id: string): Promise<ModeratedComment> {
    const comment = isId(id) ? await this.comments.findEvenDeleted(id) : null;
    if (!comment) throw commentNotFound();
    const [post, before, after] = await Promise.all([
      this.posts.findEvenDeleted(comment.postId),
      this.comments.listBefore(comment, NEIGHBOURS_EACH_SIDE),
      this.comments.listByPost(comment.postId, id, NEIGHBOURS_EACH_SIDE),
    ]);
    return {
      comment: await this.text(comment),
      post: post && (await this.postText(post)),
      before: await Promise.all(before.map((neighbour) => this.text(neighbour))),
      after: await Promise.all(after.map((neighbour) => this.text(neighbour))),
    };
  }

  private async postText(post: VisiblePost): Promise<ModeratedPost> {
    const { live, images = [], mediaEpoch = FIRST_MEDIA_EPOCH, videoFacts, videoLink } = post;
    const pictures = live ? this.views.imagesForModerators({ images, mediaEpoch }) : [];
    const video = live ? this.views.videoForModerators({ videoFacts, videoLink, mediaEpoch }) : undefined;
    return {
      ...(await this.text(post)),
      ...ownFieldsOf(post),
      pictures: pictures.map(({ url: address, alt, caption }) => ({ address, alt, caption })),
      video: video ? toModeratedVideo(video) : null,
    };
  }

  private async text(document: VisiblePost | VisibleComment): Promise<ModeratedText> {
    const { _id: id, authorId, createdAt, importedAt, content, live, hiddenReason } = document;
    const user = (await this.users.get([authorId])).get(authorId);
    return {
      id,
      author: user?.author.username || authorId,
      authorId,
      authorStatus: user?.status ?? 'unknown',
      createdAt: createdAt.toISOString(),
      importedAt: importedAt?.toISOString() ?? null,
      content,
      state: !live ? 'deleted' : hiddenReason === undefined ? 'visible' : 'hidden',
      reason: hiddenReason ?? null,
    };
  }
}

function toModeratedVideo({ upload, link }: PostVideo): ModeratedVideo {
  if (link) return { state: 'link', address: link.originalUrl };
  const { facts, url: address = '' } = upload ?? {};
  switch (facts?.status) {
    case VideoStatus.VIDEO_STATUS_READY:
      return { state: 'ready', address };
    case VideoStatus.VIDEO_STATUS_FAILED:
      return { state: 'failed', address };
    default:
      return { state: 'processing', address };
  }
}
