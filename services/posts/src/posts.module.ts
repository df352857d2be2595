import { Module } from '@nestjs/common';
import { createTicketVerifier, TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { createUrlSigner, UrlSigner } from '@pulso/platform/auth/signed-url';
import { Clock } from '@pulso/platform/time/clock';
import { CommentGuard } from './comment/comment-guard.js';
import { HideComments } from './comment/hide-comments.job.js';
import { FeedIndex } from './feed-index/feed-index.js';
import { FeedCursors } from './feed/feed-cursors.js';
import { FeedUpkeep } from './feed/feed-upkeep.js';
import { LivePosts } from './feed/live-posts.js';
import { CountedWrites } from './import/counted-writes.js';
import { LikeWriter } from './like/like-writer.js';
import { Mentions } from './mention/mentions.js';
import { ModeratedContent } from './moderation/moderated-content.js';
import { CascadeDeletion } from './post/cascade-deletion.job.js';
import { FollowVideos } from './post/follow-videos.job.js';
import { ListPager } from './post/list-pager.js';
import { GrantedMedia } from './post/granted-media.js';
import { PostGuard } from './post/post-guard.js';
import { PostViews } from './post/post-view.js';
import { HiddenAuthors } from './projections/hidden-authors.js';
import { ViewerGraphs } from './projections/viewer-graphs.js';
import { PostsSettings } from './settings.js';
import { CommentRepository } from './store/comment.repository.js';
import { CountKeeper } from './store/count-keeper.js';
import { DeletedImports } from './store/deleted-imports.js';
import { ImportRepository } from './store/import.repository.js';
import { LikeRepository } from './store/like.repository.js';
import { PostRepository } from './store/post.repository.js';
import { RowCounting } from './store/row-counting.js';
import { ViewerLikes } from './store/viewer-likes.js';
import { Viewers } from './store/viewers.js';

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

/**
 * Who acts on what, besides the rpcs. Each registers itself in its constructor, and the start of the service makes them all.
 *
 * | watched | by | which then |
 * | --- | --- | --- |
 * | posts that this process writes | `FeedUpkeep` | updates the feed's index and its cached posts |
 * | deleted posts and comments | `CascadeDeletion` | marks their comments and likes as deleted |
 * | likes and comments that are published | `RowCounting` | counts those that their writer has not counted |
 * | users whose row was written | `HideComments` | marks the comments of suspended authors |
 * | suspensions that any process has read | `HideComments` | the same, for those of other replicas |
 * | posts whose video is being processed, as far as they know | `FollowVideos` | brings what is known of the video into them |
| changed rows of other replicas (tails) | `FeedUpkeep`, `KnownUsers`, `KnownPrices`, `KnownHiddenPosts`, `Viewers` | update what they keep in memory |
 */
@Module({
  providers: [
    CountedWrites,
    ...[ticketVerifier, urlSigner],
    ...[
      PostRepository,
      CommentRepository,
      LikeRepository,
      ImportRepository,
      DeletedImports,
      CountKeeper,
      RowCounting,
      Viewers,
      ViewerLikes,
    ],
    ...[HiddenAuthors, ViewerGraphs],
    ...[GrantedMedia, PostGuard, PostViews, ListPager, CascadeDeletion, FollowVideos],
    ...[CommentGuard, HideComments, LikeWriter, Mentions, ModeratedContent],
    ...[FeedIndex, LivePosts, FeedUpkeep, FeedCursors],
  ],
})
export class PostsModule {}
