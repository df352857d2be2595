import { Module } from '@nestjs/common';
import { DashboardGrpc } from './dashboard/dashboard.grpc.js';
import { GetDashboard } from './dashboard/get-dashboard.js';
import { ListSubscribers } from './dashboard/list-subscribers.js';
import { SubscriberRepository } from './dashboard/subscriber.repository.js';
import { EndSubscriptions } from './ending/end-subscriptions.job.js';
import { EndingRepository } from './ending/ending.repository.js';
import { AuditRepository } from './operating/audit.repository.js';
import { OperatorReads } from './operating/operator-reads.repository.js';
import { RecountSubscribers } from './operating/recount-subscribers.js';
import { RevokeSubscription } from './operating/revoke-subscription.js';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { CheckPrice } from './price/check-price.js';
import { KnownPriceIntents } from './price/known-price-intents.js';
import { PriceGrpc } from './price/price.grpc.js';
import { PriceRepository } from './price/price.repository.js';
import { KnownBlocks } from './projection/known-blocks.js';
import { KnownUsers } from './projection/known-users.js';
import { CountsRepository } from './subscription/counts.repository.js';
import { GetStandings } from './standing/get-standings.js';
import { StandingGrpc } from './standing/standing.grpc.js';
import { StandingRepository } from './standing/standing.repository.js';
import { CancelSubscription } from './subscribing/cancel-subscription.js';
import { GetSubscription } from './subscribing/get-subscription.js';
import { ListSubscriptions } from './subscribing/list-subscriptions.js';
import { Subscribe } from './subscribing/subscribe.js';
import { SubscriptionListRepository } from './subscription/subscription-list.repository.js';
import { SubscriptionMetrics } from './subscription/subscription-metrics.js';
import { SubscriptionGrpc } from './subscribing/subscription.grpc.js';
import { SubscriptionRepository } from './subscription/subscription.repository.js';

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
