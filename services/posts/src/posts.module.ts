import { Module } from '@nestjs/common';
import { createTicketVerifier, TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { createUrlSigner, UrlSigner } from '@pulso/platform/auth/signed-url';
import { Clock } from '@pulso/platform/time/clock';
import { KnownBlocks, KnownFollows, KnownSubscriptions } from './access/graph-projections.js';
import { HiddenAuthors } from './access/hidden-authors.js';
import { KnownPrices } from './access/known-prices.js';
import { KnownUsers } from './access/known-users.js';
import { ViewerGraphs } from './access/viewer-graphs.js';
import { Viewers } from './access/viewers.js';
import { CommentGuard } from './comment/comment-guard.js';
import { CommentRepository } from './comment/comment.repository.js';
import { HideComments } from './comment/hide-comments.job.js';
import { AddComment } from './commenting/add-comment.js';
import { CommentGrpc } from './commenting/comment.grpc.js';
import { DeleteComment } from './commenting/delete-comment.js';
import { ListComments } from './commenting/list-comments.js';
import { CountKeeper } from './counts/count-keeper.js';
import { RowCounting } from './counts/row-counting.js';
import { EraseTraces } from './erasure/erase-traces.job.js';
import { FeedIndex } from './feed-index/feed-index.js';
import { FeedUpkeep } from './feed/feed-upkeep.js';
import { FeedGrpc } from './feed/feed.grpc.js';
import { CountNewerPosts } from './feed/count-newer-posts.js';
import { FeedCursors } from './feed/feed-cursors.js';
import { GetFeed } from './feed/get-feed.js';
import { LivePosts } from './feed/live-posts.js';
import { CommentReads, LikeReads, PostReads } from './feed/read-models.js';
import { LikeRepository } from './like/like.repository.js';
import { ViewerLikes } from './like/viewer-likes.js';
import { LikeComment } from './liking/like-comment.js';
import { LikePost } from './liking/like-post.js';
import { LikeWriter } from './liking/like-writer.js';
import { LikeGrpc } from './liking/like.grpc.js';
import { ListPostLikes } from './liking/list-post-likes.js';
import { UnlikeComment } from './liking/unlike-comment.js';
import { UnlikePost } from './liking/unlike-post.js';
import { Mentions } from './mention/mentions.js';
import { ListPager } from './paging/list-pager.js';
import { KnownHiddenComments } from './moderation/known-hidden-comments.js';
import { ModeratedContent } from './moderation/moderated-content.js';
import { DeletePost } from './post/delete-post.js';
import { EditPost } from './post/edit-post.js';
import { GetPost } from './post/get-post.js';
import { GetUsersStats } from './post/get-users-stats.js';
import { KnownHiddenPosts } from './post/known-hidden-posts.js';
import { ListUserPosts } from './post/list-user-posts.js';
import { PostGuard } from './post/post-guard.js';
import { PostGrpc } from './post/post.grpc.js';
import { PostViews } from './post/post-view.js';
import { PostRepository } from './post/post.repository.js';
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
