import { aProviderSubscription, PAIR, PERIOD } from '../../test/support/a-provider-subscription.js';
import { newSubscription, type Subscription } from '../store/subscription.entity.js';
import { GRACE_MS } from '../store/subscription.js';
import { termsOf } from '../sync/terms-of.js';
import { type NoticeFacts, noticesOf } from './notices-of.js';

const DAY_MS = 24 * 60 * 60_000;
const MONTH_MS = PERIOD.end - PERIOD.start;
const NEXT = { currentPeriodStart: PERIOD.end, currentPeriodEnd: PERIOD.end + MONTH_MS };
const RENEWED_AT = PERIOD.end + 60_000;

const first = aProviderSubscription();
const payment = {
  ...{ id: 'in_2', paymentId: 'pay_2', paidMinor: 40_000, refundedMinor: 0 },
  ...{ periodStart: NEXT.currentPeriodStart, periodEnd: NEXT.currentPeriodEnd },
};
const open = { ...payment, paymentId: null, paidMinor: 0 };
/** After the first month: paid, not taken yet, not paid, never to be taken. */
const renewed = aProviderSubscription({ ...NEXT, latestPayment: payment });
const beginning = aProviderSubscription({ ...NEXT, latestPayment: open });
const unpaid = aProviderSubscription({
  ...{ ...NEXT, status: 'past_due', unpaidSince: PERIOD.end, latestPayment: open },
});

const none = newSubscription(PAIR, PERIOD.start);
const as = (provided: typeof first, before: Subscription = none, now = RENEWED_AT) =>
  termsOf(provided, before, now);
const BEGUN = as(first, none, PERIOD.start);
const BEHIND = as(unpaid, BEGUN);

const OF = { ...PAIR, providerSubscriptionId: 'sub_1', currency: 'MXN', amountMinor: 40_000 };
const FAILED = { ...OF, kind: 'failed', cause: String(PERIOD.end), until: PERIOD.end + GRACE_MS };
const RENEWED = { ...OF, kind: 'renewed', cause: 'in_2', until: NEXT.currentPeriodEnd };

// Rule: MAIL-12, SUBS-33
it.each<[what: string, facts: [before: Subscription | undefined, provided: typeof first], told: object[]]>([
  ['a beginning', [undefined, first], []],
  ['a beginning that is read again', [BEGUN, first], []],
  ['a renewal that is paid', [BEGUN, renewed], [RENEWED]],
  ['the same, read again', [as(renewed, BEGUN), renewed], [RENEWED]],
  ['a month that has begun, and is not paid yet', [BEGUN, beginning], []],
  ['the same once it is paid', [as(beginning, BEGUN), renewed], [RENEWED]],
  ['a renewal that fails', [BEGUN, unpaid], [FAILED]],
  ['the same, read again', [BEHIND, unpaid], []],
  ['one that fails where nothing was known of it', [undefined, unpaid], [FAILED]],
  [
    'one that fails in place of an older subscription that has failed, too',
    [{ ...BEHIND, providerSubscriptionId: 'sub_0' }, unpaid],
    [FAILED],
  ],
  ['one that failed, and is paid after all', [BEHIND, renewed], [RENEWED]],
  [
    'one that is to end with its period',
    [BEGUN, { ...unpaid, cancelAtPeriodEnd: true }],
    [{ ...FAILED, until: Math.min(FAILED.until, NEXT.currentPeriodEnd) }],
  ],
  ['an ending at the provider', [BEGUN, { ...renewed, status: 'cancelled', endedAt: RENEWED_AT }], []],
])('tells of %s what the payer has not to miss', (_, [before, provided], told) => {
  const after = as(provided, before);
  expect(noticesOf({ before, after, provided: [provided] }, RENEWED_AT)).toEqual(told);
});

describe('tells nothing', () => {
  const told = (facts: Partial<NoticeFacts>, now = RENEWED_AT) =>
    noticesOf({ before: BEGUN, after: as(renewed, BEGUN), provided: [renewed], ...facts }, now);

  it('of a subscription that is not the pair’s, or is free', () => {
    expect(told({})).toEqual([RENEWED]);
    expect(told({ provided: [{ ...renewed, id: 'sub_2' }] })).toEqual([]);
    expect(told({ after: { ...BEGUN, providerSubscriptionId: null } })).toEqual([]);
    expect(told({ after: undefined })).toEqual([]);
  });

  it('once access has ended', () => {
    const now = PERIOD.end + GRACE_MS;
    expect(told({ after: as(unpaid, BEGUN, now), provided: [unpaid] }, now)).toEqual([]);
    expect(told({ after: as(unpaid, BEGUN, now - 1), provided: [unpaid] }, now - 1)).toEqual([FAILED]);
  });

  it('of a renewal longer ago than it can have been paid', () => {
    const latest = PERIOD.end + GRACE_MS + DAY_MS;
    expect(told({}, latest - 1)).toEqual([RENEWED]);
    expect(told({}, latest)).toEqual([]);
  });
});
