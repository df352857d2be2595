import { CoachOrder } from '@pulso/contracts/identity/v1/identity';
import { PriceState } from '@pulso/contracts/billing/v1/events';
import type { PriceIntentState } from '@pulso/contracts/identity/v1/events';
import { priceTopic } from '@pulso/contracts/topics/billing';
import { priceIntentTopic, userTopic } from '@pulso/contracts/topics/identity';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { Dice } from '@pulso/platform/testing/seeded';
import { GetMe } from '../src/account/get-me.js';
import { Identity, type SignedIn } from './start.js';

const SEED = Number(process.env['TEST_SEED'] ?? 33);
const STEPS = 120;

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const ask = (coach: SignedIn, value: number | undefined, wrote?: ConsistencyToken[]) =>
  identity.update(coach, { subscriptionPriceMinor: { value } }, wrote);

/** Undefined without a price. */
const shown = async (coach: SignedIn) =>
  (await identity.as(coach, () => identity.get(GetMe).execute())).user!.subscriptionPriceMinor;

const intents = ({ user }: SignedIn) =>
  identity.rows<{ minor: number | null; version: string }>(
    'SELECT price_minor AS minor, version FROM price_intents WHERE user_id = $1',
    [user.id],
  );

/** What billing would publish when it has applied the intent. */
let version = 0;
const priceOf = ({ userId, priceMinor, currency, version: intentVersion }: PriceIntentState): PriceState => {
  version += 1;
  return { coachId: userId, version, priceMinor, currency, intentVersion };
};

const asked = async ({ user }: SignedIn): Promise<PriceIntentState> => {
  await identity.service.drainEvents();
  return identity.service.deliveredState(priceIntentTopic, user.id)!;
};

// Rule: SUBS-4
describe('a price on its way to billing', () => {
  it('is shown at once and published as an intent, which ends when billing has it', async () => {
    const coach = await identity.signUp({ isCoach: true });
    const wrote: ConsistencyToken[] = [];
    await ask(coach, 40_000, wrote);
    const intent = await asked(coach);
    expect(intent).toMatchObject({ userId: coach.user.id, priceMinor: 40_000, currency: 'MXN' });
    expect(wrote).toContainEqual({
      topic: priceIntentTopic.name,
      key: coach.user.id,
      version: intent.version,
    });
    expect(await shown(coach)).toBe(40_000);
    expect(await intents(coach)).toHaveLength(1);

    await identity.service.tell(priceTopic, priceOf(intent));
    expect(await intents(coach)).toEqual([]);
    expect(await shown(coach)).toBe(40_000);
  });

  it('is asked for again only when it changes, and does not change the published user', async () => {
    const coach = await identity.signUp({ isCoach: true });
    await ask(coach, 50);
    const first = await asked(coach);
    const again: ConsistencyToken[] = [];
    await ask(coach, 50, again);
    expect(await asked(coach)).toEqual(first);
    // The caller's next request waits for the intent that is on its way.
    expect(again).toContainEqual({
      topic: priceIntentTopic.name,
      key: coach.user.id,
      version: first.version,
    });
    expect(identity.service.deliveredState(userTopic, coach.user.id)!.version).toBe(coach.user.version);
  });

  it('is newer than every intent before, also when the clock stands still and the intent is gone', async () => {
    const coach = await identity.signUp({ isCoach: true });
    await ask(coach, 50);
    const first = await asked(coach);
    await identity.service.tell(priceTopic, priceOf(first));
    await ask(coach, 100);
    expect((await asked(coach)).version).toBeGreaterThan(first.version);
    expect(await shown(coach)).toBe(100);
  });

  it('is taken away by null, which billing confirms as well', async () => {
    const coach = await identity.signUp({ isCoach: true });
    await ask(coach, 50);
    await identity.service.tell(priceTopic, priceOf(await asked(coach)));
    await ask(coach, undefined);
    expect(await shown(coach)).toBeUndefined();
    await identity.service.tell(priceTopic, priceOf(await asked(coach)));
    expect([await shown(coach), await intents(coach)]).toEqual([undefined, []]);
  });

  it('keeps both of two changes at once, of the amount and of the currency', async () => {
    const coach = await identity.signUp({ isCoach: true });
    for (let round = 1; round <= 20; round += 1) {
      const [minor, currency] = [round * 50, round % 2 === 0 ? 'MXN' : 'USD'];
      const fields = [{ subscriptionPriceMinor: { value: minor } }, { subscriptionCurrency: currency }];
      await Promise.all(fields.map((change) => identity.requestUpdate(coach, change)));
      const { price } = await identity.stored(coach);
      expect(price).toEqual({ minor, currency });
    }
  });

  it('is shown in the directory and in people search', async () => {
    const coach = await identity.signUp({ isCoach: true, name: 'Priced Ximena' });
    const found = async () => {
      const list = { q: 'Priced Ximena', limit: 0, cursor: '' };
      const order = CoachOrder.COACH_ORDER_UNSPECIFIED;
      const pages = [
        await identity.service.as(coach.user.id, (client) =>
          client.listCoaches({ ...list, order, specialty: '' }),
        ),
        await identity.service.as(coach.user.id, (client) => client.listPeople(list)),
      ];
      return pages.map(({ items }) => items.map((user) => user.subscriptionPriceMinor));
    };
    await ask(coach, 12_350);
    expect(await found()).toEqual([[12_350], [12_350]]);
    await identity.service.tell(priceTopic, priceOf(await asked(coach)));
    expect(await found()).toEqual([[12_350], [12_350]]);
  });
});

describe('the command intend-prices', () => {
  it('gives billing, which was restored, all prices again, and they stay while it tells its older ones', async () => {
    const [priced, unset, gone, never] = await Promise.all(
      Array.from({ length: 4 }, () => identity.signUp({ isCoach: true })),
    );
    for (const [coach, value] of [
      [priced!, 300],
      [unset!, undefined],
      [gone!, 300],
    ] as const) {
      await ask(coach, 200);
      const old = await asked(coach);
      await identity.service.tell(priceTopic, priceOf(old));
      await ask(coach, value);
      await identity.service.tell(priceTopic, priceOf(await asked(coach)));
      expect(await intents(coach)).toEqual([]);
    }
    const before = await asked(priced!);
    await identity.service.tamper("UPDATE users SET status = 'deleted' WHERE id = $1", [gone!.user.id]);

    expect(await identity.command('intend-prices')).toEqual([
      expect.stringMatching(/^\d+ prices asked for again\.$/),
    ]);
    expect(await asked(priced!)).toMatchObject({ priceMinor: 300, currency: 'MXN' });
    expect((await asked(priced!)).version).toBeGreaterThan(before.version);
    expect((await asked(unset!)).priceMinor).toBeUndefined();
    expect(await intents(unset!)).toHaveLength(1);
    expect([await intents(gone!), await intents(never!)]).toEqual([[], []]);

    const restored = priceOf({ ...before, priceMinor: 200, version: before.version - 1 });
    await identity.service.tell(priceTopic, restored);
    expect(await shown(priced!)).toBe(300);
    await identity.service.tell(priceTopic, priceOf(await asked(priced!)));
    expect([await shown(priced!), await intents(priced!)]).toEqual([300, []]);
  });
});

// Rule: SUBS-4
it(`never shows an older price again, in whatever order billing's answers come (TEST_SEED=${SEED})`, async () => {
  const dice = new Dice(SEED);
  const coach = await identity.signUp({ isCoach: true });
  const unseen: PriceIntentState[] = [];
  const answers: PriceState[] = [];
  let stored = 0;
  let last = 0;
  const steps = {
    ask: async () => {
      last += 50;
      await ask(coach, last);
      const [intent] = await intents(coach);
      unseen.push({
        userId: coach.user.id,
        priceMinor: intent!.minor!,
        currency: 'MXN',
        version: Number(intent!.version),
      });
    },
    // Billing stores an intent only when it is newer than what it has.
    store: async () => {
      const [intent] = unseen.splice(dice.below(unseen.length), 1);
      if (!intent || intent.version <= stored) return;
      stored = intent.version;
      answers.push(priceOf(intent));
    },
    // Any of its states, also one that was told before.
    tell: async () => {
      if (answers.length > 0) await identity.service.tell(priceTopic, dice.pick(answers));
    },
  };
  for (let step = 0; step < STEPS; step += 1) {
    const together = dice.chance(0.3) ? [steps.tell] : [];
    await Promise.all([dice.pick([steps.ask, steps.store, steps.tell]), ...together].map((run) => run()));
    if (last > 0) expect(await shown(coach)).toBe(last);
  }
  while (unseen.length > 0) await steps.store();
  for (const answer of dice.shuffled(answers)) await identity.service.tell(priceTopic, answer);
  expect([await shown(coach), await intents(coach)]).toEqual([last, []]);
});
