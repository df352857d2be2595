import type { ProviderPayment } from '../provider/payment-provider.js';
import type { Refund } from '../store/provider-ending.repository.js';

/**
 * In minor units, rounded down: never more than is left of what was paid. `orderedMinor` is what was ordered to be paid back
 * of this payment before, whether or not the provider has told of it.
 */
export function payBackMinor(
  refund: Refund,
  payment: ProviderPayment | null,
  { endedAt, orderedMinor }: { endedAt: number; orderedMinor: number },
): number {
  if (!payment || payment.paymentId === null) return 0;
  const left = leftMinor(payment, orderedMinor);
  const { paidMinor, periodStart, periodEnd } = payment;
  // The provider has begun another period before it was told of the end: nobody pays for that, whatever has ended it.
  if (refund === 'all' || periodStart >= endedAt) return left;
  if (refund === 'none') return 0;
  const unused = Math.min(Math.max(periodEnd - endedAt, 0), periodEnd - periodStart);
  return Math.min(left, Math.floor((paidMinor * unused) / Math.max(periodEnd - periodStart, 1)));
}

/** What can still be paid back of a payment. */
export function leftMinor({ paidMinor, refundedMinor }: ProviderPayment, orderedMinor: number): number {
  // What was ordered may have arrived at the provider since, so that it is part of what it tells; or not yet.
  return Math.max(0, paidMinor - Math.max(refundedMinor, orderedMinor));
}
