import type { ProviderSubscription } from '../provider/payment-provider.js';
import type { Refund } from '../store/provider-ending.repository.js';

type Paid = Pick<ProviderSubscription, 'latestPayment' | 'disputes'>;

/**
 * In minor units, rounded down: never more than is left of what was paid. `orderedMinor` is what was ordered to be paid back
 * of this payment before, whether or not the provider has told of it.
 */
export function payBackMinor(
  refund: Refund,
  provided: Paid,
  { endedAt, orderedMinor }: { endedAt: number; orderedMinor: number },
): number {
  const left = leftMinor(provided, orderedMinor);
  if (left === 0) return 0;
  const { paidMinor, periodStart, periodEnd } = provided.latestPayment!;
  // The provider has begun another period before it was told of the end: nobody pays for that, whatever has ended it.
  if (refund === 'all' || periodStart >= endedAt) return left;
  if (refund === 'none') return 0;
  const unused = Math.min(Math.max(periodEnd - endedAt, 0), periodEnd - periodStart);
  return Math.min(left, Math.floor((paidMinor * unused) / Math.max(periodEnd - periodStart, 1)));
}

/** What can still be paid back of the latest payment; nothing of a disputed one: the bank decides on it (SUBS-34). */
export function leftMinor({ latestPayment, disputes }: Paid, orderedMinor: number): number {
  const { paymentId = null, paidMinor = 0, refundedMinor = 0 } = latestPayment ?? {};
  if (paymentId === null || disputes.some((dispute) => dispute.paymentId === paymentId)) return 0;
  // What was ordered may have arrived at the provider since, so that it is part of what it tells; or not yet.
  return Math.max(0, paidMinor - Math.max(refundedMinor, orderedMinor));
}
