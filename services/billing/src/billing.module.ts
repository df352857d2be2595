import { Module } from '@nestjs/common';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { RecountSubscribers } from './operator/recount-subscribers.js';
import { RevokeSubscription } from './operator/revoke-subscription.js';
import { EndingWorker } from './projections/ending-worker.js';
import { AuditRepository } from './store/audit.repository.js';
import { BillingRows } from './store/billing-rows.js';
import { CoachCountsRepository } from './store/coach-counts.repository.js';
import { CoachFiguresRepository } from './store/coach-figures.repository.js';
import { EndingRepository } from './store/ending.repository.js';
import { OperatorReads } from './store/operator-reads.repository.js';
import { PriceRepository } from './store/price.repository.js';
import { SubscriberRepository } from './store/subscriber.repository.js';
import { SubscriptionListRepository } from './store/subscription-list.repository.js';
import { SubscriptionMetrics } from './store/subscription-metrics.js';
import { SubscriptionRepository } from './store/subscription.repository.js';
import { BeginSubscription } from './subscription/begin-subscription.js';
import { EndSubscriptions } from './subscription/end-subscriptions.job.js';

/** What `service.ts` does not list: repositories, the job, and what several use cases or commands share. */
@Module({
  providers: [
    ...[SubscriptionRepository, SubscriptionListRepository, SubscriptionMetrics, EndingRepository],
    ...[CoachCountsRepository, CoachFiguresRepository, SubscriberRepository, PriceRepository],
    ...[AuditRepository, OperatorReads, BillingRows],
    ...[PairWrites, BeginSubscription],
    ...[EndSubscriptions, { provide: EndingWorker, useExisting: EndSubscriptions }],
    ...[RevokeSubscription, RecountSubscribers],
  ],
})
export class BillingModule {}
