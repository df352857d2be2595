import { job } from '@pulso/platform/service/service-job';
import { HandleProviderEvents } from '../provider-events/handle-provider-events.js';
import { Inbox } from '../provider-events/inbox.js';
import { PayoutAccountReads } from '../provider-events/payout-account-reads.js';
import { ProviderEventMetrics } from '../provider-events/provider-event-metrics.js';
import { LiveSubscriptionsRepository } from '../reconcile/live-subscriptions.repository.js';
import { ReconcileNightly } from '../reconcile/reconcile-nightly.js';
import { Reconcile } from '../reconcile/reconcile.js';
import { ReconciliationRepository } from '../reconcile/reconciliation.repository.js';
import { ProviderEndingRepository } from '../store/provider-ending.repository.js';
import { RefundRepository } from '../store/refund.repository.js';
import { CustomerReads } from './customer-reads.js';
import { EndAtProvider } from './end-at-provider.js';
import { PairStandings } from './pair-standings.js';
import { RefundEnded } from './refund-ended.js';
import { SyncCustomer } from './sync-customer.js';
import { SyncRequests } from './sync-requests.js';

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
