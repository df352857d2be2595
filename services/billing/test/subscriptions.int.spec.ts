import { SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { namesDuring, transactionsDuring } from '@pulso/platform/testing/transactions';
import { Billing, outcome, SUSPENDED, tally } from './start.js';

const { SUBSCRIPTION_STATUS_ACTIVE, SUBSCRIPTION_STATUS_CANCELLED } = SubscriptionStatus;
const DAY_MS = 24 * 60 * 60_000;

let billing: Billing;
beforeAll(async () => (billing = await Billing.start()));
afterAll(() => billing?.stop());

const couple = async () => ({ ana: await billing.person(), coach: await billing.coach() });

describe('the direct subscribe', () => {
  // Rule: SUBS-8, SUBS-15
  it('gives access at once, and again under the same id after a cancellation', async () => {
    const { ana, coach } = await couple();
    const made = await billing.subscribe(ana, coach);
    expect(made).toMatchObject({
      created: true,
      subscription: {
        ...{ userId: ana.id, coachId: coach.id, planType: 'monthly', status: SUBSCRIPTION_STATUS_ACTIVE },
        ...{ startDate: billing.clock.now(), givesAccess: true, currency: '' },
      },
    });
    expect(made.subscription!.accessUntil).toBeUndefined();
    expect(await billing.standing(ana, coach)).toEqual([1, true]);
    expect(billing.published(ana, coach)).toMatchObject({ active: true, everActive: true });
    expect(billing.published(ana, coach)!.accessUntil).toBeUndefined();

    billing.clock.advance(1000);
    const ended = await billing.cancel(ana, coach);
    const id = made.subscription!.id;
    expect(ended).toMatchObject({
      ...{ id, status: SUBSCRIPTION_STATUS_CANCELLED, givesAccess: false },
      ...{ cancelledAt: billing.clock.now(), accessUntil: billing.clock.now() },
    });
    expect(await billing.standing(ana, coach)).toEqual([0, false]);
    expect(billing.published(ana, coach)).toMatchObject({ active: false, everActive: true });

    billing.clock.advance(1000);
    const again = await billing.subscribe(ana, coach);
    expect(again).toMatchObject({
      created: false,
      subscription: { id, startDate: billing.clock.now(), givesAccess: true },
    });
    expect(again.subscription!.createdAt).toBe(made.subscription!.createdAt);
    expect(await billing.standing(ana, coach)).toEqual([1, true]);
  });

  // Rule: SUBS-10
  it('makes one subscription of 20 presses and of two devices', async () => {
    const { ana, coach } = await couple();
    const presses = await Promise.all(Array.from({ length: 20 }, () => billing.subscribe(ana, coach)));
    expect(tally(presses.map(({ created }) => String(created)))).toEqual({ true: 1, false: 19 });
    expect(new Set(presses.map(({ subscription }) => subscription!.id)).size).toBe(1);
    expect(await billing.rows('SELECT FROM subscriptions WHERE coach_id = $1', [coach.id])).toHaveLength(1);
    expect(await billing.standing(null, coach)).toEqual([1, false]);
    const version = billing.published(ana, coach)!.version;
    await billing.subscribe(ana, coach);
    expect(billing.published(ana, coach)!.version).toBe(version);
  });

  // Rule: SUBS-10, SUBS-11
  it('and the cancellation, pressed at once, end in one of both states, with a count that fits', async () => {
    const { ana, coach } = await couple();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 ? billing.cancel(ana, coach) : billing.subscribe(ana, coach),
      ),
    );
    const { givesAccess } = await billing.get(ana, coach);
    expect(await billing.standing(ana, coach)).toEqual([Number(givesAccess), givesAccess]);
    await billing.service.drainEvents();
    expect(billing.published(ana, coach)!.active).toBe(givesAccess);
  });

  // Rule: HTTP-13
  it('answers a repetition under its key as it has answered first', async () => {
    const { ana, coach } = await couple();
    const key = newId();
    const first = await billing.subscribe(ana, coach, key);
    expect(first.created).toBe(true);
    expect(await billing.subscribe(ana, coach, key)).toEqual(first);
  });

  // Rule: SUBS-8
  it('is refused to oneself, to members, to the unknown and to visitors, and stores nothing', async () => {
    const { ana, coach } = await couple();
    const member = await billing.person();
    for (const user of [ana, coach])
      expect(await outcome(billing.subscribe(user, user))).toBe('unprocessable cannot-subscribe-self');
    expect(await outcome(billing.subscribe(ana, member))).toBe('unprocessable not-a-coach');
    for (const id of [newId(), 'nobody', '']) {
      expect(await outcome(billing.subscribe(ana, { id }))).toBe('not-found not-found');
      expect(await outcome(billing.cancel(ana, { id }))).toBe('not-found not-found');
    }
    expect(await outcome(billing.subscribe(null, coach))).toBe('unauthenticated not-authenticated');
    expect(await outcome(billing.cancel(coach, coach))).toBe('unprocessable cannot-subscribe-self');
    expect(await outcome(billing.get(ana, coach))).toBe('not-found not-found');
    expect(
      await billing.rows('SELECT FROM subscriptions WHERE user_id IN ($1, $2)', [ana.id, coach.id]),
    ).toEqual([]);
  });

  // Rule: SUBS-8, PEOPLE-23
  it('is refused between blocked users, as an unknown user to the one who is blocked', async () => {
    const { ana, coach } = await couple();
    await billing.block(ana, coach);
    expect(await outcome(billing.subscribe(ana, coach))).toBe('permission-denied blocked');
    await billing.block(ana, coach, false);
    await billing.block(coach, ana);
    expect(await outcome(billing.subscribe(ana, coach))).toBe('not-found not-found');
    expect(await outcome(billing.cancel(ana, coach))).toBe('not-found not-found');
    await billing.block(coach, ana, false);
    expect(await outcome(billing.subscribe(ana, coach))).toBe('resolved');
  });

  it('is refused by suspended callers and to suspended coaches', async () => {
    const { ana, coach } = await couple();
    await billing.change(coach, { status: SUSPENDED });
    expect(await outcome(billing.subscribe(ana, coach))).toBe('not-found not-found');
    await billing.change(ana, { status: SUSPENDED });
    expect(await outcome(billing.subscribe(ana, coach))).toBe('permission-denied user-disabled');
  });
});

describe('unsubscribing', () => {
  // Rule: SUBS-11
  it('makes a cancelled record where there was none, and repeats the same', async () => {
    const { ana, coach } = await couple();
    const record = await billing.cancel(ana, coach);
    expect(record).toMatchObject({
      status: SUBSCRIPTION_STATUS_CANCELLED,
      givesAccess: false,
    });
    expect(record.startDate).toBeUndefined();
    billing.clock.advance(1000);
    expect(await billing.cancel(ana, coach)).toEqual(record);
    expect(await billing.standing(ana, coach)).toEqual([0, false]);
    expect((await billing.dashboard(coach)).totalSubscribers).toBe(0);
    expect(await billing.subscribe(ana, coach)).toMatchObject({
      created: false,
      subscription: { id: record.id },
    });
  });

  // Rule: SUBS-11, SUBS-23
  it('lets a paid one run to the end of its period, until a new press takes it up again', async () => {
    const { ana, coach } = await couple();
    await billing.subscribe(ana, coach);
    const end = billing.clock.now() + 30 * DAY_MS;
    const paid = "price_minor = 40000, price_currency = 'MXN', current_period_end = $3";
    await billing.tamper(ana, coach, paid, [new Date(end)]);
    const ending = await billing.cancel(ana, coach);
    expect(ending).toMatchObject({
      ...{ status: SUBSCRIPTION_STATUS_ACTIVE, cancelAtPeriodEnd: true },
      ...{ accessUntil: end, givesAccess: true, paid: { currency: 'MXN', amountMinor: 40_000 } },
    });
    expect(await billing.cancel(ana, coach)).toEqual(ending);
    expect(billing.published(ana, coach)).toMatchObject({ active: true, accessUntil: end });
    expect((await billing.dashboard(coach)).paidMonthly).toEqual([{ currency: 'MXN', amountMinor: 40_000 }]);

    const resumed = await billing.subscribe(ana, coach);
    expect(resumed.subscription).toMatchObject({ cancelAtPeriodEnd: false, givesAccess: true });
    expect(resumed.subscription!.accessUntil).toBeUndefined();
    expect(resumed.subscription!.paid).toEqual({ currency: 'MXN', amountMinor: 40_000 });
    expect(billing.published(ana, coach)!.accessUntil).toBeUndefined();
  });

  // Rule: SUBS-9, SUBS-30
  it('closes access at the stored time without an event, and is cancelled and published afterwards', async () => {
    const { ana, coach } = await couple();
    await billing.subscribe(ana, coach);
    const end = billing.clock.now() + DAY_MS;
    const paid = "price_minor = 40000, price_currency = 'MXN', current_period_end = $3";
    await billing.tamper(ana, coach, paid, [new Date(end)]);
    await billing.cancel(ana, coach);

    billing.clock.set(end - 1);
    expect(await billing.standing(ana, coach)).toEqual([1, true]);
    expect((await billing.list(ana)).items.map(({ coachId }) => coachId)).toEqual([coach.id]);
    billing.clock.set(end);
    // Nothing is cancelled yet, or by chance just now: the answers are the same.
    expect(await billing.standing(ana, coach)).toEqual([0, false]);
    expect((await billing.list(ana)).items).toEqual([]);
    expect((await billing.get(ana, coach)).givesAccess).toBe(false);
    expect((await billing.dashboard(coach)).paidMonthly).toEqual([]);

    await billing.untilEnded();
    expect(await billing.get(ana, coach)).toMatchObject({
      ...{ status: SUBSCRIPTION_STATUS_CANCELLED, cancelledAt: end, accessUntil: end },
    });
    expect(billing.published(ana, coach)).toMatchObject({ active: false });
    expect(
      await billing.rows('SELECT live_count AS n FROM coach_counts WHERE coach_id = $1', [coach.id]),
    ).toEqual([{ n: 0 }]);
  });

  // Rule: SUBS-9
  it('of one that is past due needs no event either: access ends after 7 days', async () => {
    const { ana, coach } = await couple();
    await billing.subscribe(ana, coach);
    const grace = billing.clock.now() + 7 * DAY_MS;
    const behind = "price_minor = 40000, price_currency = 'MXN', status = 'past_due', access_until = $3";
    await billing.tamper(ana, coach, behind, [new Date(grace)]);
    billing.clock.set(grace - 1);
    expect((await billing.subscribe(ana, coach)).subscription).toMatchObject({
      status: SubscriptionStatus.SUBSCRIPTION_STATUS_PAST_DUE,
      givesAccess: true,
    });
    billing.clock.set(grace);
    expect((await billing.get(ana, coach)).givesAccess).toBe(false);
    await billing.untilEnded();
    expect(billing.published(ana, coach)).toMatchObject({ active: false });
  });
});

describe('the caller’s list', () => {
  // Rule: SUBS-23
  it('has those with access, the latest first, page by page; with `all` every one', async () => {
    const ana = await billing.person();
    const coaches = await Promise.all(Array.from({ length: 5 }, () => billing.coach()));
    for (const coach of coaches) {
      billing.clock.advance(1000);
      await billing.subscribe(ana, coach);
    }
    await billing.cancel(ana, coaches[2]!);
    await billing.intent(coaches[4]!, 1, 40_000);
    const shown = async (all: boolean) => {
      const pages: number[][] = [];
      for (let cursor = '', first = true; first || cursor; first = false) {
        const page = await billing.list(ana, { limit: 2, cursor, all });
        pages.push(page.items.map(({ coachId }) => coaches.findIndex(({ id }) => id === coachId)));
        cursor = page.nextCursor;
      }
      return pages;
    };
    expect(await shown(false)).toEqual([
      [4, 3],
      [1, 0],
    ]);
    expect(await shown(true)).toEqual([[4, 3], [2, 1], [0]]);
    expect((await billing.list(ana)).items.map(({ priceMinor, currency }) => [priceMinor, currency])).toEqual(
      [[40_000, 'MXN'], ...Array.from({ length: 3 }, () => [undefined, ''])],
    );
    const { nextCursor } = await billing.list(ana, { limit: 1 });
    const other = await billing.person();
    expect(await outcome(billing.list(other, { cursor: nextCursor }))).toBe(
      'invalid-argument invalid-cursor',
    );
    expect(await outcome(billing.list(ana, { cursor: nextCursor, all: true }))).toBe(
      'invalid-argument invalid-cursor',
    );
  });
});

describe('the cost of an act', () => {
  const statementsOf = async (act: () => Promise<unknown>) => {
    const transactions = await transactionsDuring(act);
    return transactions.filter((statements) => statements.some((name) => name.endsWith('-in-pair')));
  };

  it('is the locks, one read and one write with its event, for a subscribe and for a cancellation', async () => {
    const { ana, coach } = await couple();
    await billing.subscribe(ana, coach);
    await billing.cancel(ana, coach);
    const [read, write] = ['subscriptions.lock-for-act', 'subscriptions.save'];
    expect(await statementsOf(() => billing.subscribe(ana, coach))).toEqual([
      ['START TRANSACTION', 'known-users.lock-in-pair', read, write, 'COMMIT'],
    ]);
    expect(await statementsOf(() => billing.cancel(ana, coach))).toEqual([
      ['START TRANSACTION', 'known-users.find-in-pair', read, write, 'COMMIT'],
    ]);
  });

  it('writes nothing where the subscription is as it should be', async () => {
    const { ana, coach } = await couple();
    await billing.subscribe(ana, coach);
    expect(await statementsOf(() => billing.subscribe(ana, coach))).toEqual([
      ['START TRANSACTION', 'known-users.lock-in-pair', 'subscriptions.lock-for-act', 'COMMIT'],
    ]);
  });
});

describe('the cost of a reading', () => {
  const readings = async (read: () => Promise<unknown>) =>
    (await namesDuring(read)).filter((name) => /^(subscriptions|prices|known-users)\./.test(name));

  it('is one statement, for one subscription and for a page of them', async () => {
    const { ana, coach } = await couple();
    await billing.subscribe(ana, coach);
    await billing.untilEnded();
    expect(await readings(() => billing.get(ana, coach))).toEqual(['subscriptions.find']);
    expect(await readings(() => billing.list(ana))).toEqual(['subscriptions.list-open']);
    expect(await readings(() => billing.list(ana, { all: true }))).toEqual(['subscriptions.list-all']);
  });

  it('is the same for who has none, and for who may not ask', async () => {
    const nobody = await billing.person();
    expect((await billing.list(nobody)).items).toEqual([]);
    await billing.change(nobody, { status: SUSPENDED });
    expect(await outcome(billing.list(nobody))).toBe('permission-denied user-disabled');
  });
});
