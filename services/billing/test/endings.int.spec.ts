import { SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { eventOf } from '@pulso/platform/events/event-record';
import { ACTIVE, Billing, DELETED, Dice, outcome, type Person, SUSPENDED } from './start.js';

const SEED = Number(process.env['TEST_SEED'] ?? 33);
const DAY_MS = 24 * 60 * 60_000;
const { SUBSCRIPTION_STATUS_ACTIVE, SUBSCRIPTION_STATUS_CANCELLED } = SubscriptionStatus;

let billing: Billing;
beforeAll(async () => (billing = await Billing.start()));
afterAll(() => billing?.stop());

const couple = async () => {
  const [ana, coach] = [await billing.person(), await billing.coach()];
  await billing.subscribe(ana, coach);
  return { ana, coach };
};
const makePaid = (user: Person, coach: Person, end: number) =>
  billing.tamper(user, coach, "price_minor = 40000, price_currency = 'MXN', current_period_end = $3", [
    new Date(end),
  ]);

describe('subscriptions to a coach', () => {
  // Rule: SUBS-12
  it('end when the coach flag goes: free ones at once, paid ones with their period; and stay ended', async () => {
    const { ana, coach } = await couple();
    const ben = await billing.person();
    await billing.subscribe(ben, coach);
    const end = billing.clock.now() + DAY_MS;
    await makePaid(ben, coach, end);

    await billing.change(coach, { isCoach: false });
    expect(await billing.get(ana, coach)).toMatchObject({
      status: SUBSCRIPTION_STATUS_CANCELLED,
      givesAccess: false,
    });
    expect(await billing.get(ben, coach)).toMatchObject({
      ...{ status: SUBSCRIPTION_STATUS_ACTIVE, cancelAtPeriodEnd: true, accessUntil: end, givesAccess: true },
    });
    expect([billing.published(ana, coach)!.active, billing.published(ben, coach)!.active]).toEqual([
      false,
      true,
    ]);
    expect(await outcome(billing.subscribe(ana, coach))).toBe('unprocessable not-a-coach');

    await billing.change(coach, { isCoach: true });
    expect((await billing.get(ana, coach)).givesAccess).toBe(false);
    expect((await billing.get(ben, coach)).cancelAtPeriodEnd).toBe(true);
    expect((await billing.subscribe(ana, coach)).subscription!.givesAccess).toBe(true);
  });

  // Rule: SUBS-12
  it.each([
    ['suspended', { status: SUSPENDED }],
    ['deleted', { status: DELETED }],
  ])('end at once when the coach is %s, paid ones, too', async (_name, state) => {
    const { ana, coach } = await couple();
    await makePaid(ana, coach, billing.clock.now() + DAY_MS);
    await billing.change(coach, state);
    expect(await billing.get(ana, coach)).toMatchObject({
      status: SUBSCRIPTION_STATUS_CANCELLED,
      givesAccess: false,
    });
    expect(billing.published(ana, coach)).toMatchObject({ active: false, everActive: true });
    expect(await billing.standing(ana, coach)).toEqual([0, false]);
    await billing.change(coach, { status: ACTIVE });
    expect((await billing.get(ana, coach)).givesAccess).toBe(false);
  });

  it('of many subscribers end in batches, and the count is 0 afterwards', async () => {
    const coach = await billing.coach();
    await billing.service.tamper(
      `WITH made AS (
         INSERT INTO subscriptions (user_id, coach_id, id, plan_type, status, start_date, created_at,
           cancel_at_period_end, ever_active, gives_access, begun, version)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), 'monthly', 'active', now(), now(), false, true, true,
           nextval('subscription_beginnings'), n
         FROM generate_series(1, 450) AS n RETURNING 1)
       INSERT INTO coach_counts SELECT $1, count(*), count(*) FROM made`,
      [coach.id],
    );
    expect(await billing.standing(null, coach)).toEqual([450, false]);
    await billing.change(coach, { isCoach: false });
    expect(await billing.standing(null, coach)).toEqual([0, false]);
    expect(
      await billing.rows('SELECT status, count(*)::int FROM subscriptions WHERE coach_id = $1 GROUP BY 1', [
        coach.id,
      ]),
    ).toEqual([{ status: 'cancelled', count: 450 }]);
  });

  // Rule: SUBS-12
  it('that begin again before an earlier ending has reached them are not ended by it', async () => {
    const { ana, coach } = await couple();
    const ben = await billing.person();
    await billing.subscribe(ben, coach);
    // The ending that waits, as a crash after the projection's commit leaves it.
    await billing.rows(
      `INSERT INTO endings (side, user_id, reason, up_to, created_at)
       SELECT 'coach', $1, 'coach-stopped', nextval('subscription_beginnings'), now()`,
      [coach.id],
    );
    billing.clock.advance(1000);
    const again = await billing.subscribe(ana, coach);
    await billing.untilEnded();
    expect([again.subscription!.givesAccess, (await billing.get(ana, coach)).givesAccess]).toEqual([
      true,
      true,
    ]);
    expect((await billing.get(ben, coach)).givesAccess).toBe(false);
    expect(await billing.standing(ana, coach)).toEqual([1, true]);
  });

  // Rule: SUBS-11, SUBS-12
  it.each([
    ['keep a paid period that the coach has left to its end', ['coach-stopped'], true],
    ['lose it where another ending is at once', ['coach-stopped', 'coach-suspended'], false],
  ])('and that begin again before an ending has reached them %s', async (_what, reasons, isKept) => {
    const { ana, coach } = await couple();
    const end = billing.clock.now() + DAY_MS;
    await makePaid(ana, coach, end);
    const { subscription: first } = await billing.subscribe(ana, coach);
    for (const reason of reasons) {
      await billing.rows(
        `INSERT INTO endings (side, user_id, reason, up_to, created_at)
         SELECT 'coach', $1, $2, nextval('subscription_beginnings'), now()`,
        [coach.id, reason],
      );
    }
    billing.clock.advance(1000);
    const { subscription: again } = await billing.subscribe(ana, coach);
    expect(again!.givesAccess).toBe(true);
    expect(again!.startDate === first!.startDate).toBe(isKept);
    await billing.untilEnded();
    const { givesAccess, cancelAtPeriodEnd, accessUntil, currentPeriodEnd } = await billing.get(ana, coach);
    expect([givesAccess, cancelAtPeriodEnd, accessUntil]).toEqual([true, false, undefined]);
    expect(currentPeriodEnd).toBe(isKept ? end : undefined);
    expect(await billing.rows('SELECT price_minor FROM subscriptions WHERE user_id = $1', [ana.id])).toEqual([
      { price_minor: isKept ? 40_000 : null },
    ]);
  });
});

describe('a block', () => {
  // Rule: SUBS-12, PEOPLE-25
  it('ends the subscriptions between the two at once, in both directions', async () => {
    const [ana, ben, cora] = [await billing.coach(), await billing.coach(), await billing.person()];
    await billing.subscribe(ana, ben);
    await billing.subscribe(ben, ana);
    await billing.subscribe(cora, ana);
    await billing.block(ana, ben);
    for (const [user, coach] of [
      [ana, ben],
      [ben, ana],
    ] as const) {
      expect((await billing.get(user, coach)).givesAccess).toBe(false);
      expect(billing.published(user, coach)!.active).toBe(false);
    }
    expect([await billing.standing(cora, ana), await billing.standing(null, ben)]).toEqual([
      [1, true],
      [0, false],
    ]);
    await billing.block(ana, ben, false);
    expect((await billing.get(ben, ana)).givesAccess).toBe(false);
  });

  it('and a subscription at the same moment leave no access, whichever comes first', async () => {
    for (let round = 0; round < 15; round += 1) {
      const [ana, coach] = [await billing.person(), await billing.coach()];
      await Promise.all([
        billing.block(coach, ana),
        outcome(billing.subscribe(ana, coach)),
        outcome(billing.subscribe(ana, coach)),
      ]);
      expect(await billing.standing(ana, coach)).toEqual([0, false]);
      expect(billing.published(ana, coach)?.active ?? false).toBe(false);
    }
  });
});

describe('a subscriber', () => {
  // Rule: SUBS-12
  it('who is deleted has no subscription any more; one who is suspended keeps theirs', async () => {
    const { ana, coach } = await couple();
    await billing.change(ana, { status: SUSPENDED });
    expect(billing.published(ana, coach)!.active).toBe(true);
    expect(await billing.standing(null, coach)).toEqual([1, false]);
    await billing.change(ana, { status: DELETED });
    expect(billing.published(ana, coach)).toMatchObject({ active: false, everActive: true });
    expect(await billing.standing(null, coach)).toEqual([0, false]);
  });
});

// Rule: SUBS-12
describe(`states of a coach, late and repeated, in any order, while members press (TEST_SEED=${SEED})`, () => {
  it('never leave access to one who is no active coach, and never give back what has ended', async () => {
    const dice = new Dice(SEED);
    for (let round = 0; round < 12; round += 1) {
      const coach = await billing.coach();
      const members = await Promise.all(Array.from({ length: 3 }, () => billing.person()));
      const states = Array.from({ length: 6 }, () =>
        billing.users.next(coach, {
          isCoach: dice.chance(0.5),
          status: dice.chance(0.2) ? SUSPENDED : ACTIVE,
        }),
      );
      const told = dice.shuffled([...states, ...states]);
      const presses = told.flatMap((state) => [
        () => billing.service.bus.publish([eventOf(userTopic, UserState.fromPartial(state))]),
        () => outcome(billing.subscribe(dice.pick(members), coach)),
        ...(dice.chance(0.3) ? [() => outcome(billing.cancel(dice.pick(members), coach))] : []),
      ]);
      await Promise.all(presses.map((press) => press()));
      await billing.service.drainEvents();
      await billing.untilEnded();

      const last = states.at(-1)!;
      const live = await billing.rows<{ user_id: string }>(
        'SELECT user_id FROM subscriptions WHERE coach_id = $1 AND gives_access',
        [coach.id],
      );
      const isOpen = last.isCoach && last.status === ACTIVE;
      if (!isOpen) expect(live).toEqual([]);
      expect((await billing.standing(null, coach))[0]).toBe(live.length);
      for (const member of members) {
        const isLive = live.some(({ user_id }) => user_id === member.id);
        expect(billing.published(member, coach)?.active ?? false).toBe(isLive);
      }
      // The flag comes back: what has ended stays ended.
      await billing.change(coach, { isCoach: true, status: ACTIVE });
      expect((await billing.standing(null, coach))[0]).toBe(live.length);
    }
  });
});
