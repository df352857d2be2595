import { PriceIntentState } from '@pulso/contracts/identity/v1/events';
import { priceTopic } from '@pulso/contracts/topics/billing';
import { priceIntentTopic } from '@pulso/contracts/topics/identity';
import { eventOf } from '@pulso/platform/events/event-record';
import { Billing, Dice, outcome, type Person } from './start.js';

const SEED = Number(process.env['TEST_SEED'] ?? 29);

let billing: Billing;
beforeAll(async () => (billing = await Billing.start()));
afterAll(() => billing?.stop());

const told = async (coach: Person) => {
  await billing.service.drainEvents();
  return billing.service.deliveredState(priceTopic, coach.id);
};
const kept = (coach: Person) =>
  billing.rows<{ amount: number; currency: string }>(
    'SELECT amount_minor AS amount, currency FROM prices WHERE coach_id = $1 ORDER BY amount_minor, currency',
    [coach.id],
  );

// Rule: SUBS-4
describe('the price that a coach asks identity for', () => {
  it('becomes billing’s own, is told, and can be taken away', async () => {
    const coach = await billing.coach();
    await billing.intent(coach, 5, 40_000);
    expect(await told(coach)).toMatchObject({ priceMinor: 40_000, currency: 'MXN', intentVersion: 5 });
    expect(await billing.dashboard(coach)).toMatchObject({ priceMinor: 40_000, currency: 'MXN' });
    const member = await billing.person();
    expect((await billing.subscribe(member, coach)).subscription).toMatchObject({
      ...{ priceMinor: 40_000, currency: 'MXN', givesAccess: true },
    });
    // The member pays nothing: there is no provider.
    expect((await billing.dashboard(coach)).paidMonthly).toEqual([]);

    await billing.intent(coach, 6, undefined, 'USD');
    const without = await told(coach);
    expect(without).toMatchObject({ currency: 'USD', intentVersion: 6 });
    expect(without!.priceMinor).toBeUndefined();
    expect((await billing.get(member, coach)).priceMinor).toBeUndefined();
  });

  it('is kept once for each amount and currency, and 0 is not', async () => {
    const coach = await billing.coach();
    for (const [version, [minor, currency]] of [
      [40_000, 'MXN'],
      [0, 'MXN'],
      [40_000, 'USD'],
      [40_000, 'MXN'],
    ].entries())
      await billing.intent(coach, version + 1, minor as number, currency as string);
    expect(await told(coach)).toMatchObject({ priceMinor: 40_000, currency: 'MXN', intentVersion: 4 });
    expect(await kept(coach)).toEqual([
      { amount: 40_000, currency: 'MXN' },
      { amount: 40_000, currency: 'USD' },
    ]);
  });

  it('stays when an older intent, or the same, comes to a projection that has lost its rows', async () => {
    const coach = await billing.coach();
    await billing.intent(coach, 7, 40_000);
    const before = await told(coach);
    for (const [version, minor] of [
      [6, 50],
      [7, 40_000],
    ] as const) {
      await billing.rows('DELETE FROM known_price_intents WHERE user_id = $1', [coach.id]);
      await billing.intent(coach, version, minor);
      expect(await told(coach)).toEqual(before);
    }
  });

  it(`is the latest one, in whatever order and however often they come (TEST_SEED=${SEED})`, async () => {
    const dice = new Dice(SEED);
    const coaches = await Promise.all(Array.from({ length: 6 }, () => billing.coach()));
    const intents = coaches.flatMap(({ id }) =>
      Array.from({ length: 8 }, (_, index) =>
        PriceIntentState.fromPartial({
          ...{ userId: id, version: index + 1, currency: dice.pick(['MXN', 'USD']) },
          priceMinor: dice.chance(0.2) ? undefined : 50 * dice.below(100),
        }),
      ),
    );
    const events = dice.shuffled([...intents, ...intents]).map((intent) => eventOf(priceIntentTopic, intent));
    await Promise.all(events.map((event) => billing.service.bus.publish([event])));
    for (const coach of coaches) {
      const last = intents.findLast(({ userId }) => userId === coach.id)!;
      const state = (await told(coach))!;
      expect([state.priceMinor, state.currency, state.intentVersion]).toEqual([
        ...[last.priceMinor, last.currency, last.version],
      ]);
      expect(await billing.rows('SELECT FROM coach_prices WHERE coach_id = $1', [coach.id])).toHaveLength(1);
    }
  });
});

// Rule: SUBS-4
it('says before whether it would take a price, and stores nothing', async () => {
  const coach = await billing.coach();
  const check = (priceMinor?: number, currency = 'MXN') =>
    outcome(billing.as(coach, (client) => client.checkPrice({ priceMinor, currency })));
  expect([await check(40_000), await check(), await check(0, '')]).toEqual(Array(3).fill('resolved'));
  for (const minor of [-50, 30, 10_000_050])
    expect(await check(minor)).toBe('invalid-argument validation-failed');
  expect(await check(50, 'EUR')).toBe('invalid-argument validation-failed');
  expect(await outcome(billing.as(null, (client) => client.checkPrice({ currency: 'MXN' })))).toBe(
    'unauthenticated not-authenticated',
  );
  expect(await billing.rows('SELECT FROM coach_prices WHERE coach_id = $1', [coach.id])).toEqual([]);
});
