import { rpcContracts } from '@pulso/contracts/rpc';
import { videoTopic } from '@pulso/contracts/topics/media';
import { erasureTopic, userTopic } from '@pulso/contracts/topics/identity';
import { postsErasureTopic } from '@pulso/contracts/topics/posts';
import { priceTopic, subscriptionTopic } from '@pulso/contracts/topics/billing';
import { blockTopic, followTopic, hiddenCommentTopic, hiddenPostTopic } from '@pulso/contracts/topics/social';
import { mongo } from '@pulso/platform/mongo/mongo-store';
import { defineService } from '@pulso/platform/service/define-service';
import { AddComment } from './comment/add-comment.js';
import { DeleteComment } from './comment/delete-comment.js';
import { ListComments } from './comment/list-comments.js';
import { ErasePosts } from './erasure/erase-posts.js';
import { CountNewerPosts } from './feed/count-newer-posts.js';
import { encodeFeedPage } from './feed/encode-feed-page.js';
import { GetFeed } from './feed/get-feed.js';
import { CommentReads, LikeReads, PostReads } from './feed/read-models.js';
import { BeginImport } from './import/begin-import.js';
import { FindImported } from './import/find-imported.js';
import { GetImport } from './import/get-import.js';
import { ImportComments } from './import/import-comments.js';
import { ImportPosts } from './import/import-posts.js';
import { LikeComment } from './like/like-comment.js';
import { LikePost } from './like/like-post.js';
import { ListPostLikes } from './like/list-post-likes.js';
import { UnlikeComment } from './like/unlike-comment.js';
import { UnlikePost } from './like/unlike-post.js';
import { moderationCommands } from './moderation/moderation-commands.js';
import { DeletePost } from './post/delete-post.js';
import { EditPost } from './post/edit-post.js';
import { GetPost } from './post/get-post.js';
import { GetUsersStats } from './post/get-users-stats.js';
import { ListPublicPosts } from './post/list-public-posts.js';
import { ListUserPosts } from './post/list-user-posts.js';
import { PublishPost } from './post/publish-post.js';
import { PostsModule } from './posts.module.js';
import { BlockRows } from './projections/block.schema.js';
import { FollowRows } from './projections/follow.schema.js';
import { HiddenCommentRows } from './projections/hidden-comment.schema.js';
import { HiddenPostRows } from './projections/hidden-post.schema.js';
import { KnownBlocks } from './projections/known-blocks.js';
import { KnownFollows } from './projections/known-follows.js';
import { KnownHiddenComments } from './projections/known-hidden-comments.js';
import { KnownHiddenPosts } from './projections/known-hidden-posts.js';
import { KnownPrices } from './projections/known-prices.js';
import { KnownSubscriptions } from './projections/known-subscriptions.js';
import { KnownUsers } from './projections/known-users.js';
import { KnownVideos } from './projections/known-videos.js';
import { PriceRows } from './projections/price.schema.js';
import { SubscriptionRows } from './projections/subscription.schema.js';
import { UserRows } from './projections/user.schema.js';
import { VideoRows } from './projections/video.schema.js';
import { PostsSettings } from './settings.js';
import { CommentCollection } from './store/comment.schema.js';
import { DeletedImportRows } from './store/deleted-import.schema.js';
import { ExportedRows } from './store/exported-rows.js';
import { ImportRows } from './store/import.schema.js';
import { LikeCollection } from './store/like.schema.js';
import { PostCollection } from './store/post.schema.js';
import { ViewerRows } from './store/viewer.schema.js';

const contract = rpcContracts.posts;
/** The one hot answer is encoded by hand. */
const getFeed = { ...contract.definition.getFeed, responseSerializeParts: encodeFeedPage };

/** Posts, comments, likes and the ranked feed. */
export const posts = defineService({
  name: 'posts',
  rpc: { ...contract, definition: { ...contract.definition, getFeed } },
  handlers: {
    getFeed: GetFeed,
    countNewerPosts: CountNewerPosts,
    listUserPosts: ListUserPosts,
    listPublicPosts: ListPublicPosts,
    publishPost: PublishPost,
    getPost: GetPost,
    editPost: EditPost,
    deletePost: DeletePost,
    likePost: LikePost,
    unlikePost: UnlikePost,
    listPostLikes: ListPostLikes,
    listComments: ListComments,
    addComment: AddComment,
    deleteComment: DeleteComment,
    likeComment: LikeComment,
    unlikeComment: UnlikeComment,
    getUsersStats: GetUsersStats,
    getImport: GetImport,
    beginImport: BeginImport,
    findImported: FindImported,
    importPosts: ImportPosts,
    importComments: ImportComments,
  },
  settings: PostsSettings,
  store: mongo({
    collections: [
      ...[PostCollection, CommentCollection, LikeCollection],
      ...[UserRows, PriceRows, FollowRows, BlockRows, SubscriptionRows],
      ...[HiddenPostRows, HiddenCommentRows, VideoRows, ViewerRows],
      ...[ImportRows, DeletedImportRows],
    ],
    acknowledges: postsErasureTopic,
  }),
  module: PostsModule,
  consumes: [
    userTopic,
    followTopic,
    blockTopic,
    hiddenPostTopic,
    hiddenCommentTopic,
    priceTopic,
    subscriptionTopic,
    videoTopic,
    erasureTopic,
  ],
  projections: [
    KnownUsers,
    KnownPrices,
    KnownFollows,
    KnownBlocks,
    KnownSubscriptions,
    KnownHiddenPosts,
    KnownHiddenComments,
    KnownVideos,
  ],
  formerGroups: [
    { topic: userTopic, groups: ['posts.users'] },
    { topic: followTopic, groups: ['posts.follows'] },
    { topic: blockTopic, groups: ['posts.blocks'] },
    { topic: subscriptionTopic, groups: ['posts.subscriptions'] },
    { topic: hiddenPostTopic, groups: ['posts.hidden-posts'] },
  ],
  readModels: [PostReads, LikeReads, CommentReads],
  eraser: ErasePosts,
  exports: ExportedRows,
  commands: moderationCommands,
});
