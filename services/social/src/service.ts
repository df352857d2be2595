import { rpcContracts } from '@pulso/contracts/rpc';
import {
  blockTopic,
  followTopic,
  hiddenPostTopic,
  reviewTopic,
  userSuspensionTopic,
} from '@pulso/contracts/topics/social';
import { owned, postgres } from '@pulso/platform/postgres/postgres-store';
import { defineService } from '@pulso/platform/service/define-service';
import { Block, toBlockState } from './block/block.entity.js';
import { Follow, toFollowState } from './follow/follow.entity.js';
import { CreateSocial1764000000000 } from './migrations/create-social.migration.js';
import { RebuildProjections1764200000001 } from './migrations/rebuild-projections.migration.js';
import { moderationCommands } from './moderation/moderation-commands.js';
import { PostHiding, toHiddenPostState } from './moderation/post-hiding.entity.js';
import { toUserSuspensionState, UserSuspension } from './moderation/user-suspension.entity.js';
import { KnownSubscriptions } from './projection/known-subscriptions.js';
import { KnownUsers } from './projection/known-users.js';
import { Report } from './report/report.entity.js';
import { Review, toReviewState } from './review/review.entity.js';
import { SocialSettings } from './settings.js';
import { SocialModule } from './social.module.js';

/** Follows, blocks, reviews, reports and moderators' decisions. */
export const social = defineService({
  name: 'social',
  rpc: rpcContracts.social,
  settings: SocialSettings,
  store: postgres({
    entities: [Follow, Block, Review, Report, PostHiding, UserSuspension],
    migrations: [CreateSocial1764000000000, RebuildProjections1764200000001],
    owns: [
      owned(followTopic, Follow, toFollowState),
      owned(blockTopic, Block, toBlockState),
      owned(reviewTopic, Review, toReviewState),
      owned(hiddenPostTopic, PostHiding, toHiddenPostState),
      owned(userSuspensionTopic, UserSuspension, toUserSuspensionState),
    ],
  }),
  module: SocialModule,
  projects: [KnownUsers, KnownSubscriptions],
  commands: moderationCommands,
});
