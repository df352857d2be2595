import { Module } from '@nestjs/common';
import { DashboardGrpc } from './dashboard/dashboard.grpc.js';
import { GetDashboard } from './dashboard/get-dashboard.js';
import { ListSubscribers } from './dashboard/list-subscribers.js';
import { SubscriberRepository } from './store/subscriber.repository.js';
import { EndSubscriptions } from './subscription/end-subscriptions.job.js';
import { EndingRepository } from './store/ending.repository.js';
import { AuditRepository } from './store/audit.repository.js';
import { OperatorReads } from './store/operator-reads.repository.js';
import { RecountSubscribers } from './operator/recount-subscribers.js';
import { RevokeSubscription } from './operator/revoke-subscription.js';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { CheckPrice } from './price/check-price.js';
import { KnownPriceIntents } from './projections/known-price-intents.js';
import { PriceGrpc } from './price/price.grpc.js';
import { PriceRepository } from './store/price.repository.js';
import { KnownBlocks } from './projections/known-blocks.js';
import { KnownUsers } from './projections/known-users.js';
import { CountsRepository } from './store/coach-counts.repository.js';
import { GetStandings } from './subscription/get-standings.js';
import { StandingGrpc } from './subscription/standing.grpc.js';
import { StandingRepository } from './store/coach-figures.repository.js';
import { CancelSubscription } from './subscription/cancel-subscription.js';
import { GetSubscription } from './subscription/get-subscription.js';
import { ListSubscriptions } from './subscription/list-subscriptions.js';
import { Subscribe } from './subscription/subscribe.js';
import { SubscriptionListRepository } from './store/subscription-list.repository.js';
import { SubscriptionMetrics } from './store/subscription-metrics.js';
import { SubscriptionGrpc } from './subscription/subscription.grpc.js';
import { SubscriptionRepository } from './store/subscription.repository.js';

@Module({
  controllers: [SubscriptionGrpc, StandingGrpc, DashboardGrpc, PriceGrpc],
  providers: [
    ...[KnownUsers, KnownBlocks, PairWrites],
    ...[SubscriptionRepository, SubscriptionListRepository, SubscriptionMetrics],
    ...[Subscribe, CancelSubscription, ListSubscriptions, GetSubscription],
    ...[EndingRepository, EndSubscriptions],
    ...[CountsRepository, StandingRepository, GetStandings],
    ...[SubscriberRepository, GetDashboard, ListSubscribers],
    ...[PriceRepository, KnownPriceIntents, CheckPrice],
    ...[AuditRepository, OperatorReads, RevokeSubscription, RecountSubscribers],
  ],
})
export class BillingModule {}
