import type { ProviderSubscription } from '../provider/payment-provider.js';
import { GRACE_MS, givesAccess, lapse, type Terms } from '../store/subscription.js';

/**
 * What a subscription at the provider grants at the time `now` (SUBS-9). Access depends on what the provider tells alone, and
 * on `before` when it began. Returns `before` where nothing changes. Not for what billing has ended itself.
 */
export function termsOf<T extends Terms>(provided: ProviderSubscription, before: T, now: number): T {
  const { id, customerId, status, amountMinor, currency, currentPeriodEnd, cancelAtPeriodEnd } = provided;
  if (status === 'incomplete') return before;
  if (status === 'cancelled') return endedAtProvider(provided, before, now);
  const unpaidSince = status === 'active' ? null : (provided.unpaidSince ?? provided.currentPeriodStart);
  const present: T = {
    ...before,
    status,
    startDate: givesAccess(before, now) ? before.startDate : now,
    cancelledAt: null,
    currentPeriodEnd,
    cancelAtPeriodEnd,
    accessUntil: accessUntil(provided, unpaidSince),
    priceMinor: amountMinor,
    priceCurrency: currency,
    providerSubscriptionId: id,
    providerCustomerId: customerId,
    unpaidSince,
    everActive: true,
  };
  // A payment that is missing for too long: what gave access keeps its beginning, what never did has not begun.
  const lapsed = lapse(present, now);
  if (lapsed !== present && !givesAccess(before, now)) {
    const { startDate, everActive } = before;
    return orSame(before, { ...lapsed, startDate, everActive });
  }
  return orSame(before, lapsed);
}

/** A payment that is missing for longer lengthens nothing that was to end sooner. */
function accessUntil(provided: ProviderSubscription, unpaidSince: number | null): number | null {
  const { cancelAtPeriodEnd, currentPeriodEnd } = provided;
  const ends = [
    ...(cancelAtPeriodEnd ? [currentPeriodEnd] : []),
    ...(unpaidSince === null ? [] : [unpaidSince + GRACE_MS]),
  ];
  return ends.length > 0 ? Math.min(...ends) : null;
}

/**
 * Ended at the provider, by the portal, its own people or its last try to be paid: what was paid and not paid back runs out.
 * What is not the subscriber's present one begins nothing here.
 */
function endedAtProvider<T extends Terms>(provided: ProviderSubscription, before: T, now: number): T {
  if (before.providerSubscriptionId !== provided.id) return before;
  const { latestPayment, endedAt } = provided;
  const unpaidSince = provided.unpaidSince ?? before.unpaidSince;
  const isKept = latestPayment !== null && latestPayment.paidMinor > 0 && latestPayment.refundedMinor === 0;
  const end = endedAt ?? before.cancelledAt ?? now;
  const accessUntil = isKept
    ? Math.max(end, latestPayment.periodEnd)
    : Math.min(end, unpaidSince === null ? Infinity : unpaidSince + GRACE_MS);
  const cancelledAt = before.status === 'cancelled' ? before.cancelledAt : end;
  return orSame(before, {
    ...before,
    status: 'cancelled',
    cancelledAt,
    cancelAtPeriodEnd: false,
    accessUntil,
  });
}

/** `before` itself where nothing differs, so that nothing is written. */
export const orSame = <T extends object>(before: T, after: T): T =>
  (Object.keys(after) as (keyof T)[]).every((name) => after[name] === before[name]) ? before : after;
