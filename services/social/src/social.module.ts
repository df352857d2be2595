import { Module } from '@nestjs/common';
import { BlockUser } from './block/block-user.js';
import { BlockGrpc } from './block/block.grpc.js';
import { BlockRepository } from './store/block.repository.js';
import { ListBlocks } from './block/list-blocks.js';
import { UnblockUser } from './block/unblock-user.js';
import { FiguresRepository } from './store/figures.repository.js';
import { PublishFigures } from './figures/publish-figures.js';
import { RecountFigures } from './figures/recount-figures.js';
import { FollowUser } from './follow/follow-user.js';
import { FollowGrpc } from './follow/follow.grpc.js';
import { FollowRepository } from './store/follow.repository.js';
import { ListFollows } from './follow/list-follows.js';
import { ListMetCoaches } from './follow/list-met-coaches.js';
import { UnfollowUser } from './follow/unfollow-user.js';
import { AccountRecords } from './moderation/account-record.js';
import { DecisionRepository } from './store/decision.repository.js';
import { DismissReports } from './moderation/dismiss-reports.js';
import { ResolveReport } from './moderation/resolve-report.js';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { KnownSubscriptions } from './projections/known-subscriptions.js';
import { KnownUsers } from './projections/known-users.js';
import { GetRelations } from './relation/get-relations.js';
import { GraphSignals } from './relation/graph-signals.js';
import { RelationGrpc } from './relation/relation.grpc.js';
import { RelationRepository } from './store/relation.repository.js';
import { CreateReport } from './report/create-report.js';
import { ReportGrpc } from './report/report.grpc.js';
import { ReportQueue } from './store/report-queue.js';
import { ReportRepository } from './store/report.repository.js';
import { DeleteReview } from './review/delete-review.js';
import { ListReviews } from './review/list-reviews.js';
import { PutReview } from './review/put-review.js';
import { ReviewGrpc } from './review/review.grpc.js';
import { ReviewRepository } from './store/review.repository.js';
import { BlocksBetween } from './store/blocks-between.js';
import { VisibleUsers } from './relation/visible-users.js';

@Module({
  controllers: [FollowGrpc, BlockGrpc, ReviewGrpc, ReportGrpc, RelationGrpc],
  providers: [
    ...[KnownUsers, KnownSubscriptions, BlocksBetween, VisibleUsers, PairWrites],
    ...[FollowRepository, FollowUser, UnfollowUser, ListFollows, ListMetCoaches],
    ...[BlockRepository, BlockUser, UnblockUser, ListBlocks],
    ...[ReviewRepository, PutReview, DeleteReview, ListReviews],
    ...[ReportRepository, ReportQueue, CreateReport, DecisionRepository, ResolveReport, DismissReports],
    AccountRecords,
    ...[FiguresRepository, PublishFigures, RecountFigures],
    ...[RelationRepository, GetRelations, GraphSignals],
  ],
})
export class SocialModule {}
