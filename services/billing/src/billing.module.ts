import { Module } from '@nestjs/common';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { Clock } from '@pulso/platform/time/clock';
import { Inbox } from './inbox/inbox.js';
import { SyncRequests } from './inbox/sync-requests.js';
import { Doctor } from './operator/doctor.js';
import { RecountSubscribers } from './operator/recount-subscribers.js';
import { RefundPayment } from './operator/refund-payment.js';
import { RevokeSubscription } from './operator/revoke-subscription.js';
import { SettleRefund } from './operator/settle-refund.js';
import { PayoutAccounts } from './payouts/payout-accounts.js';
import { RequireCoachCaller } from './payouts/require-coach-caller.js';
import { ProviderPrices } from './price/provider-prices.js';
import { EndingWorker } from './projections/ending-worker.js';
import { CloseCheckouts } from './provider-calls/close-checkouts.js';
import { EndAtProvider } from './provider-calls/end-at-provider.js';
import { PayoutAccountReads } from './provider-calls/payout-account-reads.js';
import { ProviderCalls } from './provider-calls/provider-calls.js';
import { ProviderCustomers } from './provider-calls/provider-customers.js';
import { HandleProviderEvents } from './provider-events/handle-provider-events.js';
import { ProviderEventMetrics } from './provider-events/provider-event-metrics.js';
import { AskProvider } from './provider/ask-provider.js';
import { Provider } from './provider/provider.js';
import { ReconcileNightly } from './reconcile/reconcile-nightly.js';
import { Reconcile } from './reconcile/reconcile.js';
import { BillingSettings } from './settings.js';
import { BillingRows } from './store/billing-rows.js';
import { CheckoutRepository } from './store/checkout.repository.js';
import { CoachCountsRepository } from './store/coach-counts.repository.js';
import { CoachFiguresRepository } from './store/coach-figures.repository.js';
import { CustomerRepository } from './store/customer.repository.js';
import { DisputeRepository } from './store/dispute.repository.js';
import { EndingRepository } from './store/ending.repository.js';
import { LiveSubscriptionsRepository } from './store/live-subscriptions.repository.js';
import { OperatorReads } from './store/operator-reads.repository.js';
import { PaymentNoticeRepository } from './store/payment-notice.repository.js';
import { PaymentStatusRepository } from './store/payment-status.repository.js';
import { PayoutAccountRepository } from './store/payout-account.repository.js';
import { PriceRepository } from './store/price.repository.js';
import { ProviderEndingRepository } from './store/provider-ending.repository.js';
import { ProviderPriceRepository } from './store/provider-price.repository.js';
import { ReconciliationRepository } from './store/reconciliation.repository.js';
import { RefundRepository } from './store/refund.repository.js';
import { SubscriberRepository } from './store/subscriber.repository.js';
import { SubscriptionListRepository } from './store/subscription-list.repository.js';
import { SubscriptionMetrics } from './store/subscription-metrics.js';
import { SubscriptionRepository } from './store/subscription.repository.js';
import { providerOf } from './stripe/provider-of.js';
import { BeginSubscription } from './subscription/begin-subscription.js';
import { CheckSubscriber } from './subscription/check-subscriber.js';
import { EndSubscriptions } from './subscription/end-subscriptions.job.js';
import { SeePayment } from './subscription/see-payment.js';
import { CustomerReads } from './sync/customer-reads.js';
import { PairStandings } from './sync/pair-standings.js';
import { RefundEnded } from './sync/refund-ended.js';
import { SettleDisputes } from './sync/settle-disputes.js';
import { SyncCustomer } from './sync/sync-customer.js';

/** What `service.ts` does not list: repositories, the job, and what several use cases or commands share. */
@Module({
  providers: [
    ...[SubscriptionRepository, SubscriptionListRepository, SubscriptionMetrics, EndingRepository],
    ...[CoachCountsRepository, CoachFiguresRepository, SubscriberRepository, PriceRepository],
    ...[OperatorReads, BillingRows],
    ...[PairWrites, CheckSubscriber, SeePayment, BeginSubscription],
    { provide: Provider, useFactory: providerOf, inject: [BillingSettings, Clock] },
    ...[
      AskProvider,
      ProviderCalls,
      CustomerRepository,
      ProviderCustomers,
      ProviderPriceRepository,
      ProviderPrices,
    ],
    ...[
      PaymentStatusRepository,
      PayoutAccountRepository,
      PayoutAccounts,
      RequireCoachCaller,
      CheckoutRepository,
      CloseCheckouts,
    ],
    ...[SyncCustomer, SyncRequests, CustomerReads, PairStandings, EndAtProvider, RefundEnded, SettleDisputes],
    ...[Inbox, HandleProviderEvents, PayoutAccountReads, ProviderEventMetrics],
    ...[ProviderEndingRepository, RefundRepository, DisputeRepository, PaymentNoticeRepository],
    ...[Reconcile, ReconcileNightly, LiveSubscriptionsRepository, ReconciliationRepository],
    ...[EndSubscriptions, { provide: EndingWorker, useExisting: EndSubscriptions }],
    ...[RevokeSubscription, RecountSubscribers, RefundPayment, SettleRefund, Doctor],
  ],
})
export class BillingModule {}
