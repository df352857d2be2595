import { userTopic } from '@pulso/contracts/topics/identity';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { blockTopic, followTopic, hiddenPostTopic } from '@pulso/contracts/topics/social';
import { mongo } from '@pulso/platform/mongo/mongo-store';
import { defineService } from '@pulso/platform/service/define-service';
import { KnownBlocks, KnownFollows, KnownSubscriptions } from './access/graph-projections.js';
import { BlockRows } from './access/block.schema.js';
import { FollowRows } from './access/follow.schema.js';
import { KnownPrices } from './access/known-prices.js';
import { KnownUsers } from './access/known-users.js';
import { PriceRows } from './access/price.schema.js';
import { SubscriptionRows } from './access/subscription.schema.js';
import { UserRows } from './access/user.schema.js';
import { ViewerRows } from './access/viewer.schema.js';
import { CommentCollection } from './comment/comment.schema.js';
import { HiddenCommentRows } from './moderation/hidden-comment.schema.js';
import { KnownHiddenComments } from './moderation/known-hidden-comments.js';
import { moderationCommands } from './moderation/moderation-commands.js';
import { POSTS_RPC } from './feed/feed-page.codec.js';
import { CommentReads, LikeReads, PostReads } from './feed/read-models.js';
import { LikeCollection } from './like/like.schema.js';
import { HiddenPostRows } from './post/hidden-post.schema.js';
import { KnownHiddenPosts } from './post/known-hidden-posts.js';
import { PostCollection } from './post/post.schema.js';
import { PostsModule } from './posts.module.js';
import { PostsSettings } from './settings.js';

/** Posts, comments, likes and the ranked feed. */
export const posts = defineService({
  name: 'posts',
  rpc: POSTS_RPC,
  settings: PostsSettings,
  store: mongo({
    collections: [
      ...[PostCollection, CommentCollection, LikeCollection],
      ...[UserRows, PriceRows, FollowRows, BlockRows, SubscriptionRows],
      ...[HiddenPostRows, HiddenCommentRows, ViewerRows],
    ],
  }),
  module: PostsModule,
  projects: [
    KnownUsers,
    KnownPrices,
    KnownFollows,
    KnownBlocks,
    KnownSubscriptions,
    KnownHiddenPosts,
    KnownHiddenComments,
  ],
  formerGroups: [
    { topic: userTopic, groups: ['posts.users'] },
    { topic: followTopic, groups: ['posts.follows'] },
    { topic: blockTopic, groups: ['posts.blocks'] },
    { topic: subscriptionTopic, groups: ['posts.subscriptions'] },
    { topic: hiddenPostTopic, groups: ['posts.hidden-posts'] },
  ],
  remembers: [PostReads, LikeReads, CommentReads],
  commands: moderationCommands,
});
