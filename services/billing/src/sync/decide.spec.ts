import fc from 'fast-check';
import { aProviderSubscription, PAIR, PERIOD } from '../../test/support/a-provider-subscription.js';
import type { ProviderStatus, ProviderSubscription } from '../provider/payment-provider.js';
import { newSubscription, type Subscription } from '../store/subscription.entity.js';
import { begin, GRACE_MS, givesAccess } from '../store/subscription.js';
import { decide, type PairFacts } from './decide.js';

const DAY_MS = 24 * 60 * 60_000;
const NOW = PERIOD.start + 10 * DAY_MS;
const first = aProviderSubscription();
const second = aProviderSubscription({ id: 'sub_2', createdAt: NOW });
const facts = (fields: Partial<PairFacts> = {}): PairFacts => ({
  ...{ pair: PAIR, before: undefined, nextBeginning: 7, customerId: 'cus_1', forbidden: undefined },
  ended: new Set(),
  ...fields,
});
/** The row that a subscription at the provider leaves. */
const rowOf = (provided: ProviderSubscription, fields: Partial<PairFacts> = {}): Subscription =>
  decide(facts(fields), [provided], NOW).after!;
const endings = (given: PairFacts, provided: ProviderSubscription[], now = NOW) =>
  decide(given, provided, now).endings.map(
    ({ provided: { id }, reason, refund }) => `${id} ${reason} ${refund}`,
  );

// Rule: SUBS-10
describe('several subscriptions of a pair', () => {
  it('leave the oldest that lives, and end all others for their money', () => {
    const { after } = decide(facts(), [first, second], NOW);
    expect(after).toMatchObject({ providerSubscriptionId: 'sub_1', status: 'active', begun: 7 });
    expect(endings(facts(), [first, second])).toEqual(['sub_2 second all']);
    const over = { ...first, status: 'cancelled' as const, endedAt: NOW };
    expect(decide(facts(), [over, second], NOW).after!.providerSubscriptionId).toBe('sub_2');
    expect(endings(facts(), [over, second])).toEqual([]);
  });

  it('leave the one that has counted so far, although another one is older', () => {
    const before = rowOf(second);
    expect(decide(facts({ before }), [first, second], NOW).after).toBe(before);
    expect(endings(facts({ before }), [first, second])).toEqual(['sub_1 second all']);
  });

  it('leave none where the pair has access that is free, or that another customer of the user pays for', () => {
    const free = begin(newSubscription(PAIR, NOW), NOW);
    for (const before of [
      free,
      { ...rowOf(first), providerSubscriptionId: 'sub_9', providerCustomerId: 'cus_9' },
    ]) {
      expect(decide(facts({ before }), [second], NOW).after).toBe(before);
      expect(endings(facts({ before }), [second])).toEqual(['sub_2 second all']);
    }
  });

  it('do not count when billing has ended them, although they live', () => {
    const ended = new Set(['sub_1']);
    expect(decide(facts({ ended }), [first], NOW)).toMatchObject({ after: undefined, endings: [] });
    const before = { ...rowOf(first), status: 'cancelled' as const, accessUntil: NOW };
    expect(decide(facts({ ended, before }), [first], NOW).after).toBe(before);
  });

  it('begin anew when another one takes over, so that an older ending leaves it alone', () => {
    const before = rowOf(first);
    const over = { ...first, status: 'cancelled' as const, endedAt: NOW };
    const { after } = decide(facts({ before, nextBeginning: 9 }), [over, second], NOW);
    expect(after).toMatchObject({ providerSubscriptionId: 'sub_2', begun: 9, startDate: before.startDate });
  });
});

// Rule: SUBS-12
describe('a subscription that the pair may not have', () => {
  const blocked = { reason: 'blocked', refund: 'none' } as const;

  it('gives no access and is paid back whole, where it comes afterwards', () => {
    expect(decide(facts({ forbidden: blocked }), [first], NOW).after).toBeUndefined();
    expect(endings(facts({ forbidden: blocked }), [first])).toEqual(['sub_1 blocked all']);
  });

  it('ends at once with the refund of the reason, where it gave access', () => {
    const given = facts({ before: rowOf(first), forbidden: { reason: 'coach-deleted', refund: 'unused' } });
    expect(decide(given, [first], NOW)).toMatchObject({
      after: { status: 'cancelled', accessUntil: NOW },
      reason: 'coach-deleted',
    });
    expect(endings(given, [first])).toEqual(['sub_1 coach-deleted unused']);
  });

  it('ends with its period where the coach has stopped, whether it comes before or after that', () => {
    const forbidden = { reason: 'coach-stopped', refund: 'none' } as const;
    for (const before of [undefined, rowOf(first)]) {
      const { after, isToEnd, endings: none } = decide(facts({ before, forbidden }), [first], NOW);
      expect(after).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, accessUntil: PERIOD.end });
      expect([isToEnd, none]).toEqual([true, []]);
    }
    const ending = { ...first, cancelAtPeriodEnd: true };
    expect(decide(facts({ before: rowOf(ending), forbidden }), [ending], NOW).isToEnd).toBe(false);
  });
});

// Rule: SUBS-9
it('a payment that is missing for longer than 7 days ends the subscription at the provider, and what is paid then goes back', () => {
  const unpaid = { ...first, status: 'past_due' as const, unpaidSince: NOW };
  const before = rowOf(first);
  expect(endings(facts({ before }), [unpaid], NOW + GRACE_MS - 1)).toEqual([]);
  const { after, endings: ends } = decide(facts({ before }), [unpaid], NOW + GRACE_MS);
  expect(after).toMatchObject({ status: 'cancelled', accessUntil: NOW + GRACE_MS });
  expect(ends).toMatchObject([{ reason: 'lapsed', refund: 'unused', endedAt: NOW + GRACE_MS }]);
});

// Rule: SUBS-34
describe('a disputed payment', () => {
  const dispute = { id: 'dp_1', paymentId: 'pay_1', amountMinor: 40_000, state: 'won' as const };
  const disputed = { ...first, disputes: [dispute] };

  it('ends its subscription, which counted, was to run out, or is first seen, and nothing goes back', () => {
    expect(decide(facts({ before: rowOf(first) }), [disputed], NOW)).toMatchObject({
      ...{ after: { status: 'cancelled', accessUntil: NOW }, reason: 'disputed' },
    });
    const over = { ...disputed, status: 'cancelled' as const, endedAt: NOW - DAY_MS };
    for (const [before, provided] of [
      [rowOf(first), disputed],
      [rowOf(first), over],
      [undefined, disputed],
    ] as const)
      expect(endings(facts({ before }), [provided])).toEqual(['sub_1 disputed none']);
    expect(endings(facts(), [over])).toEqual([]);
  });

  it('leaves another subscription alone, or lets it take over, paid as it is', () => {
    const before = rowOf(second);
    expect(decide(facts({ before }), [disputed, second], NOW).after).toBe(before);
    const taken = decide(facts({ before: rowOf(first) }), [disputed, second], NOW);
    expect(taken).toMatchObject({ after: { providerSubscriptionId: 'sub_2', status: 'active' } });
    expect(endings(facts({ before: rowOf(first) }), [disputed, second])).toEqual(['sub_1 disputed none']);
  });
});

// Rule: SUBS-10, SUBS-17
describe('whatever the provider tells', () => {
  const STATUSES: ProviderStatus[] = ['incomplete', 'active', 'past_due', 'cancelled'];
  const provided = fc
    .array(
      fc.record({
        status: fc.constantFrom(...STATUSES),
        cancelAtPeriodEnd: fc.boolean(),
        unpaidDays: fc.integer({ min: 0, max: 20 }),
        endedDays: fc.integer({ min: 0, max: 20 }),
        isDisputed: fc.boolean(),
      }),
      { maxLength: 4 },
    )
    .map((all) =>
      all.map(({ status, cancelAtPeriodEnd, unpaidDays, endedDays, isDisputed }, index) =>
        aProviderSubscription({
          ...{ id: `sub_${index + 1}`, status, cancelAtPeriodEnd, createdAt: PERIOD.start + index },
          unpaidSince: status === 'past_due' ? NOW - unpaidDays * DAY_MS : null,
          endedAt: status === 'cancelled' ? NOW - endedDays * DAY_MS : null,
          disputes: isDisputed ? [{ id: 'dp_1', paymentId: 'pay_1', amountMinor: 1, state: 'open' }] : [],
        }),
      ),
    );
  const forbidden = fc.constantFrom(
    undefined,
    { reason: 'blocked', refund: 'unused' } as const,
    { reason: 'coach-stopped', refund: 'none' } as const,
    { reason: 'subscriber-deleted', refund: 'none' } as const,
  );

  it('one at most lives, it is the one that gives access, and the same again changes nothing', () => {
    fc.assert(
      fc.property(provided, provided, forbidden, (earlier, all, why) => {
        const before = decide(facts(), earlier, NOW).after;
        const given = facts({ before, forbidden: why });
        const { after, endings: ends } = decide(given, all, NOW);
        const endedIds = ends.map(({ provided: { id } }) => id);
        const living = all.filter(
          ({ id, status }) => (status === 'active' || status === 'past_due') && !endedIds.includes(id),
        );
        expect(living.length).toBeLessThanOrEqual(1);
        const access = after !== undefined && givesAccess(after, NOW);
        if (living.length === 1) {
          expect(after).toMatchObject({ providerSubscriptionId: living[0]!.id });
          expect(access).toBe(true);
        }
        const isShown = all.some(({ id }) => id === before?.providerSubscriptionId);
        if (why && why.reason !== 'coach-stopped' && (isShown || !before)) expect(access).toBe(false);
        const again = decide({ ...given, before: after, ended: new Set(endedIds) }, all, NOW);
        expect(again).toMatchObject({ endings: [] });
        expect(again.after).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });
});

// Rule: SUBS-9
describe('one that was moved to another coach’s price', () => {
  const cheap = { ...first, priceCoachId: '01900000-0000-7000-8000-000000000003', amountMinor: 1_000 };

  it('ends at once for what is unused, and gives no access where it never gave any', () => {
    const before = rowOf(first);
    expect(decide(facts({ before }), [cheap], NOW)).toMatchObject({
      ...{ after: { status: 'cancelled', accessUntil: NOW }, reason: 'other-price' },
    });
    expect(endings(facts({ before }), [cheap])).toEqual(['sub_1 other-price unused']);
    expect(decide(facts(), [cheap], NOW).after).toBeUndefined();
    expect(endings(facts(), [cheap])).toEqual(['sub_1 other-price unused']);
  });

  it('leaves access to one that is paid at the coach’s own price', () => {
    const before = rowOf(first);
    const { after } = decide(facts({ before }), [cheap, second], NOW);
    expect(after).toMatchObject({ status: 'active', providerSubscriptionId: 'sub_2' });
    expect(endings(facts({ before }), [cheap, second])).toEqual(['sub_1 other-price unused']);
  });

  it('is none where the marks name nobody, or it has ended', () => {
    const before = rowOf(first);
    expect(endings(facts({ before }), [{ ...cheap, priceCoachId: null }])).toEqual([]);
    const over = { ...cheap, status: 'cancelled' as const, endedAt: NOW };
    expect(endings(facts({ before }), [over])).toEqual([]);
  });
});
