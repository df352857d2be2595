import type { ProviderSubscription } from '../provider/payment-provider.js';
import type { NewNotice } from '../store/payment-notice.repository.js';
import type { PaidRefund } from '../store/refund.repository.js';
import type { Subscription } from '../store/subscription.entity.js';
import type { EndReason } from '../store/end-reason.js';
import { GRACE_MS, givesAccess } from '../store/subscription.js';

const DAY_MS = 24 * 60 * 60_000;
/** A renewal is paid within its grace, or not at all. What billing hears of later still, as after an outage, is no news. */
const RENEWAL_TOLD_MS = GRACE_MS + DAY_MS;

/** What a pair's subscription was, is now, and is at the provider. */
export interface NoticeFacts {
  before: Subscription | undefined;
  after: Subscription | undefined;
  provided: readonly ProviderSubscription[];
}

/**
 * What the payer is told of a read of the provider (MAIL-12): that a renewal could not be paid, when it is first seen while access
 * goes on; that one was paid. The same is found again in each read, so that a notice's cause must be told once.
 */
export function noticesOf({ before, after, provided }: NoticeFacts, now: number): NewNotice[] {
  const own = after && provided.find(({ id }) => id === after.providerSubscriptionId);
  if (!own || !givesAccess(after, now)) return [];
  const { userId, coachId } = after;
  const of = { userId, coachId, providerSubscriptionId: own.id };
  if (after.status === 'past_due') {
    const known = before?.providerSubscriptionId === own.id ? before.unpaidSince : null;
    if (known !== null) return [];
    const { unpaidSince, accessUntil: until, priceMinor, priceCurrency } = after;
    const owed = { amountMinor: priceMinor!, currency: priceCurrency!, until };
    return [{ ...of, kind: 'failed', cause: String(unpaidSince), ...owed }];
  }
  const payment = after.status === 'active' ? paidRenewal(own, now) : undefined;
  if (!payment) return [];
  const paid = { amountMinor: payment.paidMinor, currency: own.currency, until: after.currentPeriodEnd };
  return [{ ...of, kind: 'renewed', cause: payment.id, ...paid }];
}

/**
 * The payment of a period after the first. Not the period itself: a provider begins it up to an hour before it takes the money,
 * and while it collects nothing.
 */
function paidRenewal({ createdAt, latestPayment }: ProviderSubscription, now: number) {
  if (!latestPayment || latestPayment.paidMinor === 0) return undefined;
  const { periodStart } = latestPayment;
  // The first period begins with the subscription, a moment sooner or later.
  const isFirst = periodStart < createdAt + DAY_MS;
  return isFirst || now - periodStart >= RENEWAL_TOLD_MS ? undefined : latestPayment;
}

/** A subscription that a read has ended. */
export interface EndedSubscription {
  provided: ProviderSubscription;
  reason: EndReason | 'second';
}

/** What the payer is told of the endings of a read: of each one that a dispute has caused (SUBS-35). */
export function noticesOfDisputes(endings: readonly EndedSubscription[]): NewNotice[] {
  return endings
    .filter(({ reason }) => reason === 'disputed')
    .map(({ provided }): NewNotice => {
      const { pair, id: providerSubscriptionId, currency, disputes } = provided;
      const { id: cause, amountMinor } = disputes[0]!;
      const { userId, coachId } = pair;
      const of = { userId, coachId, providerSubscriptionId };
      return { ...of, kind: 'disputed', cause, amountMinor, currency, until: null };
    });
}

/** What the payer is told when the provider has paid back. */
export function noticeOfRefund({ id, isOfSecond, ...refund }: PaidRefund): NewNotice {
  return { ...refund, kind: isOfSecond ? 'second-refunded' : 'refunded', cause: id, until: null };
}
