import { rpcContracts } from '@pulso/contracts/rpc';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { erasureTopic, userTopic } from '@pulso/contracts/topics/identity';
import {
  blockTopic,
  followTopic,
  hiddenCommentTopic,
  hiddenPostTopic,
  reviewTopic,
  socialErasureTopic,
  userFiguresTopic,
  userSuspensionTopic,
} from '@pulso/contracts/topics/social';
import { owned, postgres } from '@pulso/platform/postgres/postgres-store';
import { defineService } from '@pulso/platform/service/define-service';
import { job } from '@pulso/platform/service/service-job';
import { BlockUser } from './block/block-user.js';
import { ListBlocks } from './block/list-blocks.js';
import { UnblockUser } from './block/unblock-user.js';
import { EraseSocial } from './erasure/erase-social.js';
import { PublishFigures } from './figures/publish-figures.js';
import { figureCommands } from './figures/recount-figures.js';
import { FollowUser } from './follow/follow-user.js';
import { ListFollowers } from './follow/list-followers.js';
import { ListFollowing } from './follow/list-following.js';
import { ListMetCoaches } from './follow/list-met-coaches.js';
import { UnfollowUser } from './follow/unfollow-user.js';
import { CreateSocial1764000000000 } from './migrations/create-social.migration.js';
import { DismissReports1765100000000 } from './migrations/dismiss-reports.migration.js';
import { IndexForErasure1766600000001 } from './migrations/index-for-erasure.migration.js';
import { KeepDecisions1766700000001 } from './migrations/keep-decisions.migration.js';
import { KeepFigures1764400000000 } from './migrations/keep-figures.migration.js';
import { ModerateComments1764300000000 } from './migrations/moderate-comments.migration.js';
import { RebuildProjections1764200000001 } from './migrations/rebuild-projections.migration.js';
import { moderationCommands } from './moderation/moderation-commands.js';
import { KnownSubscriptions } from './projections/known-subscriptions.js';
import { KnownUsers } from './projections/known-users.js';
import { GetRelations } from './relation/get-relations.js';
import { CreateReport } from './report/create-report.js';
import { DeleteReview } from './review/delete-review.js';
import { ListReviews } from './review/list-reviews.js';
import { PutReview } from './review/put-review.js';
import { SocialSettings } from './settings.js';
import { SocialModule } from './social.module.js';
import { Block, toBlockState } from './store/block.entity.js';
import { CommentHiding, toHiddenCommentState } from './store/comment-hiding.entity.js';
import { ExportedRows } from './store/exported-rows.js';
import { Follow, toFollowState } from './store/follow.entity.js';
import { LoggedDecision } from './store/logged-decision.entity.js';
import { PostHiding, toHiddenPostState } from './store/post-hiding.entity.js';
import { Report } from './store/report.entity.js';
import { Review, toReviewState } from './store/review.entity.js';
import { toUserFiguresState, UserFigures } from './store/user-figures.entity.js';
import { toUserSuspensionState, UserSuspension } from './store/user-suspension.entity.js';

/** Others hear of a follow within a second (HTTP-3). */
/** Many changes of a user in this time are one event. */
const FIGURES_AFTER_MS = 500;
/** For what a process that died has left, and what no commit of this service causes, such as a suspension. */
const FIGURES_MS = 5_000;

/** Follows, blocks, reviews, reports and moderators' decisions. */
export const social = defineService({
  name: 'social',
  rpc: rpcContracts.social,
  settings: SocialSettings,
  store: postgres({
    entities: [
      ...[Follow, Block, Review, Report, UserFigures],
      ...[PostHiding, CommentHiding, UserSuspension, LoggedDecision],
    ],
    migrations: [
      ...[CreateSocial1764000000000, RebuildProjections1764200000001],
      ...[ModerateComments1764300000000, KeepFigures1764400000000, DismissReports1765100000000],
      IndexForErasure1766600000001,
      KeepDecisions1766700000001,
    ],
    owns: [
      owned(followTopic, Follow, toFollowState),
      owned(blockTopic, Block, toBlockState),
      owned(reviewTopic, Review, toReviewState),
      owned(hiddenPostTopic, PostHiding, toHiddenPostState),
      owned(hiddenCommentTopic, CommentHiding, toHiddenCommentState),
      owned(userSuspensionTopic, UserSuspension, toUserSuspensionState),
      owned(userFiguresTopic, UserFigures, toUserFiguresState),
    ],
    acknowledges: socialErasureTopic,
  }),
  module: SocialModule,
  handlers: {
    followUser: FollowUser,
    unfollowUser: UnfollowUser,
    listFollowers: ListFollowers,
    listFollowing: ListFollowing,
    listMetCoaches: ListMetCoaches,
    blockUser: BlockUser,
    unblockUser: UnblockUser,
    listBlocks: ListBlocks,
    listReviews: ListReviews,
    putReview: PutReview,
    deleteReview: DeleteReview,
    createReport: CreateReport,
    getRelations: GetRelations,
  },
  consumes: [userTopic, subscriptionTopic, erasureTopic],
  projections: [KnownUsers, KnownSubscriptions],
  eraser: EraseSocial,
  exports: ExportedRows,
  formerGroups: [
    { topic: userTopic, groups: ['social'] },
    { topic: subscriptionTopic, groups: ['social'] },
  ],
  jobs: [
    job(
      'publication of figures',
      FIGURES_MS,
      PublishFigures,
      (figures, stopping) => figures.execute(stopping),
      { afterCommitMs: FIGURES_AFTER_MS },
    ),
  ],
  signals: true,
  commands: { ...moderationCommands, ...figureCommands },
});
