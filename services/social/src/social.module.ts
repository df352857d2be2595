import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createCursorSealer } from '@pulso/platform/auth/sealed-cursor';
import type { Clock } from '@pulso/platform/time/clock';
import { BlockUser } from './block/block-user.js';
import { BlockGrpc } from './block/block.grpc.js';
import { BlockRepository } from './block/block.repository.js';
import { ListBlocks } from './block/list-blocks.js';
import { UnblockUser } from './block/unblock-user.js';
import type { SocialConfig } from './config.js';
import { DATA_SOURCE, dataSourceOptions } from './database/data-source.js';
import { PairTransactions } from './database/pair-transactions.js';
import { FollowUser } from './follow/follow-user.js';
import { FollowGrpc } from './follow/follow.grpc.js';
import { FollowRepository } from './follow/follow.repository.js';
import { ListFollows } from './follow/list-follows.js';
import { UnfollowUser } from './follow/unfollow-user.js';
import { IdempotentWrites } from './idempotency/idempotent-writes.js';
import { DecisionRepository } from './moderation/decision.repository.js';
import { KnownSubscriptions } from './projection/known-subscriptions.js';
import { KnownUsers } from './projection/known-users.js';
import { GetRelations } from './relation/get-relations.js';
import { RelationGrpc } from './relation/relation.grpc.js';
import { RelationRepository } from './relation/relation.repository.js';
import { VisibleUsers } from './relation/visible-users.js';
import { CreateReport } from './report/create-report.js';
import { ReportGrpc } from './report/report.grpc.js';
import { ReportRepository } from './report/report.repository.js';
import { RepublishSocial } from './republish-social.js';
import { DeleteReview } from './review/delete-review.js';
import { ListReviews } from './review/list-reviews.js';
import { PutReview } from './review/put-review.js';
import { ReviewGrpc } from './review/review.grpc.js';
import { ReviewRepository } from './review/review.repository.js';
import { CLOCK, CURSOR_SEALER } from './tokens.js';
import { WriteMarks } from './write-marks.js';

@Module({})
export class SocialModule {
  /** The service's parts on its own database, which must have been migrated. */
  static with({ config, clock }: { config: SocialConfig; clock: Clock }): DynamicModule {
    return {
      module: SocialModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(config),
          name: DATA_SOURCE,
          retryAttempts: 5,
          retryDelay: 1_000,
        }),
      ],
      controllers: [FollowGrpc, BlockGrpc, ReviewGrpc, ReportGrpc, RelationGrpc],
      providers: [
        { provide: CLOCK, useValue: clock },
        { provide: CURSOR_SEALER, useValue: createCursorSealer({ secrets: config.CURSOR_SECRETS }) },
        ...[KnownUsers, KnownSubscriptions, VisibleUsers],
        ...[PairTransactions, IdempotentWrites, WriteMarks],
        ...[FollowRepository, BlockRepository, ReviewRepository, ReportRepository],
        ...[RelationRepository, DecisionRepository],
        ...[FollowUser, UnfollowUser, ListFollows],
        ...[BlockUser, UnblockUser, ListBlocks],
        ...[PutReview, DeleteReview, ListReviews],
        ...[CreateReport, GetRelations, RepublishSocial],
      ],
    };
  }
}
