import { Module } from '@nestjs/common';
import { BlockUser } from './block/block-user.js';
import { BlockGrpc } from './block/block.grpc.js';
import { BlockRepository } from './block/block.repository.js';
import { ListBlocks } from './block/list-blocks.js';
import { UnblockUser } from './block/unblock-user.js';
import { FiguresRepository } from './figures/figures.repository.js';
import { PublishFigures } from './figures/publish-figures.js';
import { RecountFigures } from './figures/recount-figures.js';
import { FollowUser } from './follow/follow-user.js';
import { FollowGrpc } from './follow/follow.grpc.js';
import { FollowRepository } from './follow/follow.repository.js';
import { ListFollows } from './follow/list-follows.js';
import { ListMetCoaches } from './follow/list-met-coaches.js';
import { UnfollowUser } from './follow/unfollow-user.js';
import { AccountRecords } from './moderation/account-record.js';
import { DecisionRepository } from './moderation/decision.repository.js';
import { DismissReports } from './moderation/dismiss-reports.js';
import { ResolveReport } from './moderation/resolve-report.js';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { KnownSubscriptions } from './projection/known-subscriptions.js';
import { KnownUsers } from './projection/known-users.js';
import { GetRelations } from './relation/get-relations.js';
import { GraphSignals } from './relation/graph-signals.js';
import { RelationGrpc } from './relation/relation.grpc.js';
import { RelationRepository } from './relation/relation.repository.js';
import { CreateReport } from './report/create-report.js';
import { ReportGrpc } from './report/report.grpc.js';
import { ReportQueue } from './report/report-queue.js';
import { ReportRepository } from './report/report.repository.js';
import { DeleteReview } from './review/delete-review.js';
import { ListReviews } from './review/list-reviews.js';
import { PutReview } from './review/put-review.js';
import { ReviewGrpc } from './review/review.grpc.js';
import { ReviewRepository } from './review/review.repository.js';
import { BlocksBetween } from './visibility/blocks-between.js';
import { VisibleUsers } from './visibility/visible-users.js';

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
