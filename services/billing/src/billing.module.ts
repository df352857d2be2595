import { Module } from '@nestjs/common';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { Clock } from '@pulso/platform/time/clock';
import { CheckoutRepository } from './store/checkout.repository.js';
import { CustomerRepository } from './store/customer.repository.js';
import { ProviderCustomers } from './provider-calls/provider-customers.js';
import { RecountSubscribers } from './operator/recount-subscribers.js';
import { RevokeSubscription } from './operator/revoke-subscription.js';
import { PayoutAccountRepository } from './store/payout-account.repository.js';
import { PayoutAccounts } from './payouts/payout-accounts.js';
import { RequireCoachCaller } from './payouts/require-coach-caller.js';
import { ProviderPriceRepository } from './store/provider-price.repository.js';
import { ProviderPrices } from './price/provider-prices.js';
import { EndingWorker } from './projections/ending-worker.js';
import { ProviderCalls } from './provider-calls/provider-calls.js';
import { Provider } from './provider/provider.js';
import { providerOf } from './provider-of.js';
import { BillingSettings } from './settings.js';
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
import { CheckSubscriber } from './subscription/check-subscriber.js';
import { EndSubscriptions } from './subscription/end-subscriptions.job.js';
import { SeePayment } from './subscription/see-payment.js';
import { syncParts } from './sync-parts.js';

/** What `service.ts` does not list: repositories, the job, and what several use cases or commands share. */
@Module({
  providers: [
    ...[SubscriptionRepository, SubscriptionListRepository, SubscriptionMetrics, EndingRepository],
    ...[CoachCountsRepository, CoachFiguresRepository, SubscriberRepository, PriceRepository],
    ...[AuditRepository, OperatorReads, BillingRows],
    ...[PairWrites, CheckSubscriber, SeePayment, BeginSubscription],
    { provide: Provider, useFactory: providerOf, inject: [BillingSettings, Clock] },
    ...[ProviderCalls, CustomerRepository, ProviderCustomers, ProviderPriceRepository, ProviderPrices],
    ...[PayoutAccountRepository, PayoutAccounts, RequireCoachCaller, CheckoutRepository],
    ...syncParts,
    ...[EndSubscriptions, { provide: EndingWorker, useExisting: EndSubscriptions }],
    ...[RevokeSubscription, RecountSubscribers],
  ],
})
export class BillingModule {}
