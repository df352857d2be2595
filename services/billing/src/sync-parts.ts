import { job } from '@pulso/platform/service/service-job';
import { HandleProviderEvents } from './provider-events/handle-provider-events.js';
import { Inbox } from './inbox/inbox.js';
import { PayoutAccountReads } from './provider-calls/payout-account-reads.js';
import { ProviderEventMetrics } from './provider-events/provider-event-metrics.js';
import { LiveSubscriptionsRepository } from './reconcile/live-subscriptions.repository.js';
import { ReconcileNightly } from './reconcile/reconcile-nightly.js';
import { Reconcile } from './reconcile/reconcile.js';
import { ReconciliationRepository } from './reconcile/reconciliation.repository.js';
import { ProviderEndingRepository } from './store/provider-ending.repository.js';
import { RefundRepository } from './store/refund.repository.js';
import { CustomerReads } from './sync/customer-reads.js';
import { EndAtProvider } from './provider-calls/end-at-provider.js';
import { PairStandings } from './sync/pair-standings.js';
import { RefundEnded } from './sync/refund-ended.js';
import { SyncCustomer } from './sync/sync-customer.js';
import { SyncRequests } from './inbox/sync-requests.js';

const HOUR_MS = 60 * 60_000;

/** What reads the provider and writes what it tells, for `BillingModule`. */
export const syncParts = [
  ...[SyncCustomer, SyncRequests, CustomerReads, PairStandings, EndAtProvider, RefundEnded],
  ...[Inbox, HandleProviderEvents, PayoutAccountReads, ProviderEventMetrics],
  ...[ProviderEndingRepository, RefundRepository],
  ...[Reconcile, ReconcileNightly, LiveSubscriptionsRepository, ReconciliationRepository],
];

/** For the service's definition. */
export const syncJobs = [
  job('purge of provider events', HOUR_MS, Inbox, (inbox, stopping) => inbox.purge(stopping)),
  job('comparison with the provider', HOUR_MS, ReconcileNightly, (nightly, stopping) =>
    nightly.execute(stopping),
  ),
];
