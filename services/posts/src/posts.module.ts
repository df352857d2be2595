import { Module } from '@nestjs/common';
import { createTicketVerifier, TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { createUrlSigner, UrlSigner } from '@pulso/platform/auth/signed-url';
import { Clock } from '@pulso/platform/time/clock';
import { KnownBlocks, KnownFollows, KnownSubscriptions } from './projections/known-relations.js';
import { HiddenAuthors } from './projections/hidden-authors.js';
import { KnownPrices } from './projections/known-prices.js';
import { KnownUsers } from './projections/known-users.js';
import { ViewerGraphs } from './projections/viewer-graphs.js';
import { Viewers } from './store/viewers.js';
import { CommentGuard } from './comment/comment-guard.js';
import { CommentRepository } from './store/comment.repository.js';
import { HideComments } from './comment/hide-comments.job.js';
import { AddComment } from './comment/add-comment.js';
import { CommentGrpc } from './comment/comment.grpc.js';
import { DeleteComment } from './comment/delete-comment.js';
import { ListComments } from './comment/list-comments.js';
import { CountKeeper } from './store/count-keeper.js';
import { RowCounting } from './store/row-counting.js';
import { EraseTraces } from './post/cascade-deletion.job.js';
import { FeedIndex } from './feed-index/feed-index.js';
import { FeedUpkeep } from './feed/feed-upkeep.js';
import { FeedGrpc } from './feed/feed.grpc.js';
import { CountNewerPosts } from './feed/count-newer-posts.js';
import { FeedCursors } from './feed/feed-cursors.js';
import { GetFeed } from './feed/get-feed.js';
import { LivePosts } from './feed/live-posts.js';
import { CommentReads, LikeReads, PostReads } from './feed/read-models.js';
import { LikeRepository } from './store/like.repository.js';
import { ViewerLikes } from './store/viewer-likes.js';
import { LikeComment } from './like/like-comment.js';
import { LikePost } from './like/like-post.js';
import { LikeWriter } from './like/like-writer.js';
import { LikeGrpc } from './like/like.grpc.js';
import { ListPostLikes } from './like/list-post-likes.js';
import { UnlikeComment } from './like/unlike-comment.js';
import { UnlikePost } from './like/unlike-post.js';
import { Mentions } from './mention/mentions.js';
import { ListPager } from './post/list-pager.js';
import { KnownHiddenComments } from './projections/known-hidden-comments.js';
import { ModeratedContent } from './moderation/moderated-content.js';
import { DeletePost } from './post/delete-post.js';
import { EditPost } from './post/edit-post.js';
import { GetPost } from './post/get-post.js';
import { GetUsersStats } from './post/get-users-stats.js';
import { KnownHiddenPosts } from './projections/known-hidden-posts.js';
import { ListUserPosts } from './post/list-user-posts.js';
import { PostGuard } from './post/post-guard.js';
import { PostGrpc } from './post/post.grpc.js';
import { PostViews } from './post/post-view.js';
import { PostRepository } from './store/post.repository.js';
import { PublishPost } from './post/publish-post.js';
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
  controllers: [FeedGrpc, PostGrpc, CommentGrpc, LikeGrpc],
  providers: [
    ...[
      KnownUsers,
      KnownPrices,
      HiddenAuthors,
      KnownFollows,
      KnownBlocks,
      KnownSubscriptions,
      KnownHiddenPosts,
    ],
    ...[Viewers, ViewerGraphs],
    ...[ticketVerifier, urlSigner, PostViews],
    ...[PostRepository, PostGuard, PublishPost, GetPost, EditPost, DeletePost, ListUserPosts, GetUsersStats],
    ...[CommentRepository, CommentGuard, HideComments, AddComment, ListComments, DeleteComment, ListPager],
    ...[LikeRepository, ViewerLikes, LikeWriter, LikePost, UnlikePost, LikeComment, UnlikeComment],
    ...[ListPostLikes, Mentions],
    ...[CountKeeper, RowCounting, EraseTraces],
    ...[KnownHiddenComments, ModeratedContent],
    ...[FeedIndex, LivePosts, FeedUpkeep, PostReads, LikeReads, CommentReads],
    ...[FeedCursors, GetFeed, CountNewerPosts],
  ],
})
export class PostsModule {}
