import { Module } from '@nestjs/common';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { PublishFigures } from './figures/publish-figures.js';
import { RecountFigures } from './figures/recount-figures.js';
import { ChangeFollow } from './follow/change-follow.js';
import { FollowLists } from './follow/follow-lists.js';
import { AccountRecords } from './moderation/account-records.js';
import { DismissReports } from './moderation/dismiss-reports.js';
import { ResolveReport } from './moderation/resolve-report.js';
import { GraphSignals } from './relation/graph-signals.js';
import { VisibleUsers } from './relation/visible-users.js';
import { AccountCountsRepository } from './store/account-counts.repository.js';
import { BlockRepository } from './store/block.repository.js';
import { BlocksBetween } from './store/blocks-between.js';
import { DecisionRepository } from './store/decision.repository.js';
import { ErasureRepository } from './store/erasure.repository.js';
import { FiguresRepository } from './store/figures.repository.js';
import { FollowRepository } from './store/follow.repository.js';
import { MetCoachesRepository } from './store/met-coaches.repository.js';
import { RelationRepository } from './store/relation.repository.js';
import { ReportQueue } from './store/report-queue.js';
import { ReportRepository } from './store/report.repository.js';
import { ReviewRepository } from './store/review.repository.js';
import { SocialRows } from './store/social-rows.js';

/** What `service.ts` does not list: repositories, and what several use cases or commands share. */
@Module({
  providers: [
    ...[FollowRepository, MetCoachesRepository, BlockRepository, BlocksBetween, RelationRepository],
    ...[ReviewRepository, FiguresRepository, SocialRows],
    ...[ReportRepository, ReportQueue, DecisionRepository, AccountCountsRepository],
    ...[PairWrites, GraphSignals, VisibleUsers, ChangeFollow, FollowLists],
    ...[PublishFigures, RecountFigures, ErasureRepository],
    ...[ResolveReport, DismissReports, AccountRecords],
  ],
})
export class SocialModule {}
