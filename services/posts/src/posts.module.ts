import { Module } from '@nestjs/common';
import { createTicketVerifier, TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { createUrlSigner, UrlSigner } from '@pulso/platform/auth/signed-url';
import { Clock } from '@pulso/platform/time/clock';
import { HiddenAuthors } from './projections/hidden-authors.js';
import { ViewerGraphs } from './projections/viewer-graphs.js';
import { Viewers } from './store/viewers.js';
import { CommentGuard } from './comment/comment-guard.js';
import { CommentRepository } from './store/comment.repository.js';
import { HideComments } from './comment/hide-comments.job.js';
import { CountKeeper } from './store/count-keeper.js';
import { RowCounting } from './store/row-counting.js';
import { CascadeDeletion } from './post/cascade-deletion.job.js';
import { FeedIndex } from './feed-index/feed-index.js';
import { FeedUpkeep } from './feed/feed-upkeep.js';
import { FeedCursors } from './feed/feed-cursors.js';
import { LivePosts } from './feed/live-posts.js';
import { LikeRepository } from './store/like.repository.js';
import { ViewerLikes } from './store/viewer-likes.js';
import { LikeWriter } from './like/like-writer.js';
import { Mentions } from './mention/mentions.js';
import { ListPager } from './post/list-pager.js';
import { ModeratedContent } from './moderation/moderated-content.js';
import { PostGuard } from './post/post-guard.js';
import { PostViews } from './post/post-view.js';
import { PostRepository } from './store/post.repository.js';
import { PostsSettings } from './settings.js';

const ticketVerifier = {
  provide: TicketVerifier,
  useFactory: ({ MEDIA_TICKET_JWKS: jwks }: PostsSettings, clock: Clock) =>
    createTicketVerifier({ jwks, clock }),
  inject: [PostsSettings, Clock],
};

const urlSigner = {
  provide: UrlSigner,
  useFactory: ({ MEDIA_URL_SECRETS: secrets }: PostsSettings, clock: Clock) =>
    createUrlSigner({ secrets, clock }),
  inject: [PostsSettings, Clock],
};

@Module({
  providers: [
    ...[ticketVerifier, urlSigner],
    ...[PostRepository, CommentRepository, LikeRepository, CountKeeper, RowCounting, Viewers, ViewerLikes],
    ...[HiddenAuthors, ViewerGraphs],
    ...[PostGuard, PostViews, ListPager, CascadeDeletion],
    ...[CommentGuard, HideComments, LikeWriter, Mentions, ModeratedContent],
    ...[FeedIndex, LivePosts, FeedUpkeep, FeedCursors],
  ],
})
export class PostsModule {}
