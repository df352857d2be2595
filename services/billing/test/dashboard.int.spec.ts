import { SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { SUBSCRIBERS_SQL } from '../src/store/subscriber.repository.js';
import { Billing, DELETED, Dice, outcome, SUSPENDED } from './start.js';

const SEED = Number(process.env['TEST_SEED'] ?? 26);
const MANY = 100_000;
const DAY_MS = 24 * 60 * 60_000;

let billing: Billing;
beforeAll(async () => (billing = await Billing.start()));
afterAll(() => billing?.stop());

describe('the dashboard', () => {
  // Rule: SUBS-29
  it('is for coaches', async () => {
    const member = await billing.person();
    const text = 'Access denied. Only coaches can view the dashboard.';
    await expect(billing.dashboard(member)).rejects.toThrow(text);
    await expect(billing.subscribers(member)).rejects.toThrow(text);
    const refused = 'permission-denied permission-denied';
    expect(await outcome(billing.dashboard(member))).toBe(refused);
    expect(await outcome(billing.subscribers(member, { cursor: 'no cursor' }))).toBe(refused);
  });

  // Rule: SUBS-26
  it('counts who ever subscribed, who does, and what is really paid in each currency', async () => {
    const coach = await billing.coach();
    const members = await Promise.all(Array.from({ length: 5 }, () => billing.person()));
    expect(await billing.dashboard(coach)).toEqual({
      ...{ totalSubscribers: 0, activeSubscriptions: 0, currency: '', paidMonthly: [] },
    });
    for (const member of members) await billing.subscribe(member, coach);
    const pays = (index: number, minor: number, currency: string) =>
      billing.tamper(members[index]!, coach, 'price_minor = $3, price_currency = $4', [minor, currency]);
    await pays(0, 40_000, 'MXN');
    await pays(1, 30_050, 'MXN');
    await pays(2, 999, 'USD');
    await billing.cancel(members[4]!, coach);
    expect(await billing.dashboard(coach)).toMatchObject({
      ...{ totalSubscribers: 5, activeSubscriptions: 4 },
      paidMonthly: [
        { currency: 'MXN', amountMinor: 70_050 },
        { currency: 'USD', amountMinor: 999 },
      ],
    });
    await billing.cancel(members[0]!, coach);
    expect((await billing.dashboard(coach)).paidMonthly).toEqual([
      { currency: 'MXN', amountMinor: 30_050 },
      { currency: 'USD', amountMinor: 999 },
    ]);
  });

  // Rule: SUBS-27
  it('lists everyone who ever had access, the latest first, page by page', async () => {
    const coach = await billing.coach();
    const [ana, ben, cora, dan, never] = await Promise.all(
      Array.from({ length: 5 }, () => billing.person({ profileImageId: newId() })),
    );
    for (const member of [ana!, ben!, cora!, dan!]) {
      billing.clock.advance(1000);
      await billing.subscribe(member, coach);
    }
    await billing.cancel(never!, coach);
    await billing.cancel(ben!, coach);
    await billing.change(cora!, { status: SUSPENDED });
    await billing.change(dan!, { status: DELETED });
    billing.clock.advance(1000);
    await billing.cancel(ana!, coach);
    await billing.subscribe(ana!, coach);

    const items = [];
    for (let cursor = '', first = true; first || cursor; first = false) {
      const page = await billing.subscribers(coach, { limit: 1, cursor });
      expect(page.items).toHaveLength(1);
      items.push(page.items[0]!);
      cursor = page.nextCursor;
    }
    expect(items.map(({ user, givesAccess }) => [user!.id, user!.name, givesAccess])).toEqual([
      [ana!.id, ana!.name, true],
      [dan!.id, '', false],
      [cora!.id, cora!.name, true],
      [ben!.id, ben!.name, false],
    ]);
    expect(items.map(({ user }) => user!.profileImageId !== '')).toEqual([true, false, false, true]);
    expect(items[0]).toMatchObject({ planType: 'monthly', subscribedAt: billing.clock.now() });
    expect(items[3]!.status).toBe(SubscriptionStatus.SUBSCRIPTION_STATUS_CANCELLED);
  });

  // Rule: SUBS-27
  it('says of the latest 20 with access alone what identity is to know before it is asked for addresses', async () => {
    const coach = await billing.coach();
    const members = await Promise.all(Array.from({ length: 22 }, () => billing.person()));
    for (const member of members) {
      billing.clock.advance(1);
      await billing.subscribe(member, coach);
    }
    await billing.cancel(members[21]!, coach);
    const told: ConsistencyToken[] = [];
    await billing.as(coach, (client) => client.listSubscribers({ limit: 100, cursor: '' }), told);
    const latest = members.slice(1, 21).toReversed();
    expect(told.map(({ key }) => key)).toEqual(latest.map(({ id }) => `${id}_${coach.id}`));
  });

  // Rule: SUBS-27, PEOPLE-23
  it('keeps a row without a name for a subscriber who has blocked the coach, and names whom the coach has blocked', async () => {
    const coach = await billing.coach();
    const [blocker, blocked] = [await billing.person({ profileImageId: newId() }), await billing.person()];
    for (const member of [blocker, blocked]) {
      billing.clock.advance(1000);
      await billing.subscribe(member, coach);
    }
    await billing.block(blocker, coach);
    await billing.block(coach, blocked);
    // Nothing but the block takes the access from the answer.
    await billing.tamper(blocker, coach, "status = 'active', gives_access = true, access_until = NULL");
    const items = async () => (await billing.subscribers(coach)).items;
    const [second, first] = await items();
    expect(second!.user).toMatchObject({ id: blocked.id, name: blocked.name, username: blocked.username });
    expect(first).toMatchObject({
      user: { id: blocker.id, name: '', username: '', profileImageId: '', isCoach: false },
      givesAccess: false,
    });
    expect((await billing.dashboard(coach)).totalSubscribers).toBe(2);
    await billing.tamper(blocker, coach, "status = 'cancelled', gives_access = false");
    await billing.block(blocker, coach, false);
    expect((await items())[1]!.user!.name).toBe(blocker.name);
  });
});

describe('standings', () => {
  it('have an entry for each user asked for, in their order, also to visitors', async () => {
    const [ana, coach, other] = [await billing.person(), await billing.coach(), await billing.coach()];
    await billing.subscribe(ana, coach);
    const unknown = newId();
    const userIds = [other.id, coach.id, unknown, 'nobody', coach.id];
    const of = async (viewer: typeof ana | null) => {
      const { standings } = await billing.as(viewer, (client) => client.getStandings({ userIds }));
      return standings.map(({ userId, subscriberCount, subscribed }) => [
        userId,
        subscriberCount,
        subscribed,
      ]);
    };
    const expected = (mine: boolean) => [
      [other.id, 0, false],
      [coach.id, 1, mine],
      [unknown, 0, false],
      ['nobody', 0, false],
      [coach.id, 1, mine],
    ];
    expect([await of(ana), await of(null)]).toEqual([expected(true), expected(false)]);
    const many = Array.from({ length: 101 }, () => coach.id);
    expect(await outcome(billing.as(ana, (client) => client.getStandings({ userIds: many })))).toBe(
      'invalid-argument validation-failed',
    );
  });

  // Rule: SUBS-11
  it(`equal a count of the rows after any history (TEST_SEED=${SEED})`, async () => {
    const dice = new Dice(SEED);
    const coaches = await Promise.all(Array.from({ length: 3 }, () => billing.coach()));
    const members = await Promise.all(Array.from({ length: 4 }, () => billing.person()));
    for (let step = 0; step < 40; step += 1) {
      billing.clock.advance(dice.below(2 * DAY_MS));
      const [one, other] = [dice.pick(members), dice.pick(members)];
      const coach = dice.pick(coaches);
      const end = new Date(billing.clock.now() + dice.below(3 * DAY_MS));
      const paid = "price_minor = 50, price_currency = 'USD', current_period_end = $3";
      if (dice.chance(0.1)) await billing.change(coach, { isCoach: dice.chance(0.7) });
      if (dice.chance(0.1)) await billing.block(one, coach, dice.chance(0.3));
      if (dice.chance(0.3)) await billing.tamper(one, coach, paid, [end]);
      await Promise.all([
        ...[one, other, one].map((member) => outcome(billing.subscribe(member, coach))),
        ...(dice.chance(0.4) ? [outcome(billing.cancel(other, coach))] : []),
      ]);
      if (dice.chance(0.3)) await billing.cancel(one, coach).catch(() => undefined);
    }
    await billing.untilEnded();
    const counted = `SELECT count(*) FILTER (WHERE gives_access)::int AS live,
        count(*) FILTER (WHERE ever_active)::int AS ever
      FROM subscriptions WHERE coach_id = $1`;
    const kept = `SELECT coalesce(sum(live_count), 0)::int AS live, coalesce(sum(ever_count), 0)::int AS ever
      FROM coach_counts WHERE coach_id = $1`;
    let most = 0;
    for (const coach of coaches) {
      const [found] = await billing.rows<{ live: number; ever: number }>(counted, [coach.id]);
      expect(await billing.rows(kept, [coach.id])).toEqual([found]);
      expect(await billing.standing(null, coach)).toEqual([found!.live, false]);
      most = Math.max(most, found!.ever);
    }
    // A history without subscriptions would show nothing.
    expect(most).toBeGreaterThan(1);
    expect((await billing.command('recount'))[0]).toBe('All counts are right.');
  });
});

// Rule: SUBS-27
it(`reads any page of ${MANY} subscribers as a range of an index`, async () => {
  const coach = await billing.coach();
  await billing.service.tamper(
    `INSERT INTO subscriptions (user_id, coach_id, id, plan_type, status, start_date, created_at,
       cancel_at_period_end, ever_active, gives_access, begun, version)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), 'monthly', 'active', now() - n * interval '1 minute', now(),
       false, true, n % 3 > 0, n, n
     FROM generate_series(1, ${MANY}) AS n`,
    [coach.id],
  );
  await billing.rows('ANALYZE subscriptions');
  const client = await billing.service.pool.connect();
  try {
    await client.query('SET enable_seqscan = off');
    const deep = new Date(Date.now() - MANY * 30_000);
    for (const after of ['infinity', deep]) {
      const parameters = [coach.id, after, 'ffffffff-ffff-7fff-bfff-ffffffffffff', 21, new Date()];
      const { rows } = await client.query(
        `EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) ${SUBSCRIBERS_SQL}`,
        parameters,
      );
      const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
      const range = nodes.find((node) => node['Index Name'] === 'subscriptions_subscribers_idx')!;
      expect(range['Index Cond']).toMatch(/coach_id = .*ROW\(start_date, id\) </);
      expect(range['Actual Rows']).toBe(21);
      expect(range['Rows Removed by Filter'] ?? 0).toBe(0);
      // Nothing sorts the list: the index has its order.
      const ofList = nodes.filter(
        (node) => node['Relation Name'] !== 'known_users' && node['Node Type'] !== 'Hash',
      );
      const read = ofList.map((node) => Number(node['Actual Rows']) * Number(node['Actual Loops']));
      expect(Math.max(...read)).toBe(21);
    }
  } finally {
    client.release(true);
  }
});

type Plan = Record<string, unknown> & { Plans?: Plan[] };
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
