import type { ProviderSubscription } from '../../src/provider/payment-provider.js';

const DAY_MS = 24 * 60 * 60_000;
/** The month that builders' subscriptions are paid for. */
export const PERIOD = { start: 100 * DAY_MS, end: 130 * DAY_MS };
export const PAIR = {
  userId: '01900000-0000-7000-8000-000000000001',
  coachId: '01900000-0000-7000-8000-000000000002',
};

/** An active subscription at the provider, paid for the month; `fields` replace parts of it. */
export function aProviderSubscription(fields: Partial<ProviderSubscription> = {}): ProviderSubscription {
  return {
    ...{
      id: 'sub_1',
      customerId: 'cus_1',
      pair: PAIR,
      priceCoachId: PAIR.coachId,
      status: 'active',
      amountMinor: 40_000,
      currency: 'MXN',
    },
    ...{ createdAt: PERIOD.start, currentPeriodStart: PERIOD.start, currentPeriodEnd: PERIOD.end },
    ...{ cancelAtPeriodEnd: false, endedAt: null, unpaidSince: null, disputes: [] },
    latestPayment: {
      ...{ id: 'in_1', paymentId: 'pay_1', paidMinor: 40_000, refundedMinor: 0 },
      ...{ periodStart: PERIOD.start, periodEnd: PERIOD.end },
    },
    ...fields,
  };
}
