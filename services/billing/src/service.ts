import { auditTrail } from '@pulso/platform/audit/audit-part';
import { foreignCalls } from '@pulso/platform/foreign-calls/foreign-calls-part';
import { rpcContracts } from '@pulso/contracts/rpc';
import { blockTopic } from '@pulso/contracts/topics/social';
import { erasureTopic, priceIntentTopic, userTopic } from '@pulso/contracts/topics/identity';
import {
  billingErasureTopic,
  paymentNoticeTopic,
  priceTopic,
  subscriptionTopic,
} from '@pulso/contracts/topics/billing';
import { owned, postgres } from '@pulso/platform/postgres/postgres-store';
import { defineService } from '@pulso/platform/service/define-service';
import { job } from '@pulso/platform/service/service-job';
import { BillingModule } from './billing.module.js';
import { GetDashboard } from './dashboard/get-dashboard.js';
import { ListSubscribers } from './dashboard/list-subscribers.js';
import { OpenCheckout } from './checkout/open-checkout.js';
import { EraseBilling } from './erasure/erase-billing.js';
import { Inbox } from './inbox/inbox.js';
import { AddPaymentNotices1766310000000 } from './migrations/add-payment-notices.migration.js';
import { AddDirectCharges1766500000000 } from './migrations/add-direct-charges.migration.js';
import { AddDisputeNotices1766480000000 } from './migrations/add-dispute-notices.migration.js';
import { AddDisputes1766400000000 } from './migrations/add-disputes.migration.js';
import { AddRefundsDealtWith1766450000000 } from './migrations/add-refunds-dealt-with.migration.js';
import { AddProvider1766200000000 } from './migrations/add-provider.migration.js';
import { CreateBilling1765000000000 } from './migrations/create-billing.migration.js';
import { IndexForErasure1766600000001 } from './migrations/index-for-erasure.migration.js';
import { OneCustomerAnAccount1766500100000 } from './migrations/one-customer-an-account.migration.js';
import { billingCommands } from './operator/billing-commands.js';
import { GetPaymentStatus } from './payouts/get-payment-status.js';
import { OpenOnboarding } from './payouts/open-onboarding.js';
import { OpenPayoutAccount } from './payouts/open-payout-account.js';
import { OpenPayoutDashboard } from './payouts/open-payout-dashboard.js';
import { OpenBillingPortal } from './portal/open-billing-portal.js';
import { CheckPrice } from './price/check-price.js';
import { EnsurePrice } from './price/ensure-price.js';
import { KnownBlocks } from './projections/known-blocks.js';
import { KnownPriceIntents } from './projections/known-price-intents.js';
import { KnownUsers } from './projections/known-users.js';
import { TakeProviderEvent } from './provider-events/take-provider-event.js';
import { ReconcileNightly } from './reconcile/reconcile-nightly.js';
import { BillingSettings } from './settings.js';
import { CoachPrice, toPriceState } from './store/coach-price.entity.js';
import { ExportedRows } from './store/exported-rows.js';
import { PaymentNotice, toPaymentNoticeState } from './store/payment-notice.entity.js';
import { Subscription, toSubscriptionState } from './store/subscription.entity.js';
import { CancelSubscription } from './subscription/cancel-subscription.js';
import { GetStandings } from './subscription/get-standings.js';
import { GetSubscription } from './subscription/get-subscription.js';
import { ListSubscriptions } from './subscription/list-subscriptions.js';
import { Subscribe } from './subscription/subscribe.js';

const HOUR_MS = 60 * 60_000;

/** Subscriptions of members to coaches, and coaches' prices. */
export const billing = defineService({
  name: 'billing',
  rpc: rpcContracts.billing,
  settings: BillingSettings,
  store: postgres({
    entities: [Subscription, CoachPrice, PaymentNotice],
    migrations: [
      CreateBilling1765000000000,
      AddProvider1766200000000,
      AddPaymentNotices1766310000000,
      AddDisputes1766400000000,
      AddRefundsDealtWith1766450000000,
      AddDisputeNotices1766480000000,
      AddDirectCharges1766500000000,
      IndexForErasure1766600000001,
    ],
    cleanupMigrations: [OneCustomerAnAccount1766500100000],
    owns: [
      owned(subscriptionTopic, Subscription, toSubscriptionState),
      owned(priceTopic, CoachPrice, toPriceState),
      owned(paymentNoticeTopic, PaymentNotice, toPaymentNoticeState),
    ],
    acknowledges: billingErasureTopic,
    parts: [foreignCalls, auditTrail],
  }),
  module: BillingModule,
  handlers: {
    subscribe: Subscribe,
    cancelSubscription: CancelSubscription,
    listSubscriptions: ListSubscriptions,
    getSubscription: GetSubscription,
    getStandings: GetStandings,
    getDashboard: GetDashboard,
    listSubscribers: ListSubscribers,
    checkPrice: CheckPrice,
    openCheckout: OpenCheckout,
    ensurePrice: EnsurePrice,
    openPayoutAccount: OpenPayoutAccount,
    openOnboarding: OpenOnboarding,
    openBillingPortal: OpenBillingPortal,
    openPayoutDashboard: OpenPayoutDashboard,
    getPaymentStatus: GetPaymentStatus,
    takeProviderEvent: TakeProviderEvent,
  },
  consumes: [userTopic, priceIntentTopic, blockTopic, erasureTopic],
  projections: [KnownUsers, KnownBlocks, KnownPriceIntents],
  eraser: EraseBilling,
  exports: ExportedRows,
  jobs: [
    job('purge of provider events', HOUR_MS, Inbox, (inbox, stopping) => inbox.purge(stopping)),
    job('comparison with the provider', HOUR_MS, ReconcileNightly, (nightly, stopping) =>
      nightly.execute(stopping),
    ),
  ],
  signals: true,
  commands: billingCommands,
});
