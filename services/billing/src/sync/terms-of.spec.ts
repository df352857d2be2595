import { aProviderSubscription, PERIOD } from '../../test/support/a-provider-subscription.js';
import type { ProviderSubscription } from '../provider/payment-provider.js';
import { begin, GRACE_MS, givesAccess, NO_TERMS, type Terms } from '../store/subscription.js';
import { termsOf } from './terms-of.js';

const DAY_MS = 24 * 60 * 60_000;
const NOW = PERIOD.start + 10 * DAY_MS;
const paid = termsOf<Terms>(aProviderSubscription(), NO_TERMS, NOW);
const unpaid = aProviderSubscription({ status: 'past_due', unpaidSince: NOW, latestPayment: null });

// Rule: SUBS-9
describe('a subscription at the provider', () => {
  it('that is paid gives access without an end, at its own price', () => {
    expect(paid).toEqual({
      ...{ status: 'active', startDate: NOW, cancelledAt: null, currentPeriodEnd: PERIOD.end },
      ...{ cancelAtPeriodEnd: false, accessUntil: null, priceMinor: 40_000, priceCurrency: 'MXN' },
      ...{ providerSubscriptionId: 'sub_1', providerCustomerId: 'cus_1' },
      ...{ unpaidSince: null, everActive: true },
    });
    // A renewal that has not been told yet takes nothing away.
    expect(givesAccess(paid, PERIOD.end + DAY_MS)).toBe(true);
  });

  it('changes nothing when it is told again, and keeps the beginning of access through its changes', () => {
    expect(termsOf(aProviderSubscription(), paid, NOW + DAY_MS)).toBe(paid);
    const renewed = aProviderSubscription({ currentPeriodEnd: PERIOD.end + 30 * DAY_MS });
    expect(termsOf(renewed, paid, NOW + DAY_MS)).toEqual({
      ...paid,
      currentPeriodEnd: PERIOD.end + 30 * DAY_MS,
    });
    const free = begin<Terms>(NO_TERMS, NOW - DAY_MS);
    expect(termsOf(aProviderSubscription(), free, NOW).startDate).toBe(NOW - DAY_MS);
  });

  it('that is to end with its period gives access until then, and goes on when it is resumed', () => {
    const ending = termsOf<Terms>(aProviderSubscription({ cancelAtPeriodEnd: true }), paid, NOW);
    expect(ending).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, accessUntil: PERIOD.end });
    expect(termsOf(aProviderSubscription(), ending, NOW)).toEqual(paid);
  });

  it('whose payment is missing gives access for 7 days since it was due, however late that is told', () => {
    const behind = termsOf(unpaid, paid, NOW);
    expect(behind).toMatchObject({ status: 'past_due', unpaidSince: NOW, accessUntil: NOW + GRACE_MS });
    const told = termsOf(unpaid, paid, NOW + 6 * DAY_MS);
    expect(told).toMatchObject({ status: 'past_due', accessUntil: NOW + GRACE_MS });
    expect(termsOf(unpaid, behind, NOW + DAY_MS)).toBe(behind);
    expect(termsOf(unpaid, paid, NOW + GRACE_MS)).toMatchObject({
      status: 'cancelled',
      accessUntil: NOW + GRACE_MS,
    });
    // What the provider does not date was due when the period began.
    const undated = aProviderSubscription({ status: 'past_due', currentPeriodStart: NOW - DAY_MS });
    expect(termsOf(undated, paid, NOW).accessUntil).toBe(NOW - DAY_MS + GRACE_MS);
  });

  it('whose payment is missing ends no later than it was to end', () => {
    const due = PERIOD.end - DAY_MS;
    const ending = { ...unpaid, cancelAtPeriodEnd: true, unpaidSince: due };
    expect(termsOf(ending, paid, due)).toMatchObject({ status: 'past_due', accessUntil: PERIOD.end });
  });

  it('that is paid after all gives access without an end again', () => {
    expect(termsOf(aProviderSubscription(), termsOf(unpaid, paid, NOW), NOW + DAY_MS)).toEqual(paid);
  });

  it('that was not paid in time never begins for who did not have access', () => {
    const late = termsOf<Terms>(unpaid, NO_TERMS, NOW + GRACE_MS);
    expect(late).toMatchObject({ status: 'cancelled', everActive: false, startDate: null });
    expect(givesAccess(late, NOW + GRACE_MS)).toBe(false);
  });

  it('that waits for its first payment changes nothing', () => {
    expect(termsOf<Terms>(aProviderSubscription({ status: 'incomplete' }), NO_TERMS, NOW)).toBe(NO_TERMS);
  });
});

// Rule: SUBS-9
describe('a subscription that has ended at the provider', () => {
  const ended = (fields: Partial<ProviderSubscription> = {}) =>
    aProviderSubscription({ status: 'cancelled', endedAt: NOW, ...fields });
  const payment = aProviderSubscription().latestPayment!;

  it('runs out what was paid and not paid back', () => {
    expect(termsOf(ended(), paid, NOW)).toMatchObject({
      ...{ status: 'cancelled', cancelledAt: NOW, accessUntil: PERIOD.end, cancelAtPeriodEnd: false },
    });
    const refunded = ended({ latestPayment: { ...payment, refundedMinor: 1 } });
    expect(termsOf(refunded, paid, NOW).accessUntil).toBe(NOW);
    // In whatever order refund and end are told.
    expect(termsOf(refunded, termsOf(ended(), paid, NOW), NOW).accessUntil).toBe(NOW);
    expect(termsOf(ended({ latestPayment: null }), paid, NOW).accessUntil).toBe(NOW);
  });

  it('for want of payment had access for the grace alone', () => {
    const due = NOW - 10 * DAY_MS;
    const unpaidEnd = ended({
      unpaidSince: due,
      latestPayment: { ...payment, paidMinor: 0, paymentId: null },
    });
    expect(termsOf(unpaidEnd, paid, NOW).accessUntil).toBe(due + GRACE_MS);
  });

  it('is the same when it is told again, and nothing to who had another one', () => {
    const once = termsOf(ended(), paid, NOW);
    expect(termsOf(ended(), once, NOW + DAY_MS)).toBe(once);
    expect(termsOf(ended({ id: 'sub_2' }), paid, NOW)).toBe(paid);
    expect(termsOf<Terms>(ended(), NO_TERMS, NOW)).toBe(NO_TERMS);
  });
});
