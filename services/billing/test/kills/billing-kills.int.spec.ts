import { PublishedUsers } from '@pulso/platform/testing/published-users';
import { Dice } from '@pulso/platform/testing/seeded';
import { systemClock } from '@pulso/platform/time/clock';
import { KilledBilling } from './killed-billing.js';
import { type Place, PLACES } from './places.js';

/** How many members come and go, with a kill each; `npm run soak -- billing-kills` has several for each place. */
const ROUNDS = Number(process.env['BILLING_PLACE_KILLS'] ?? 4);
/** The round to begin with: each has its own dice. */
const FIRST = Number(process.env['BILLING_PLACE_FIRST'] ?? 0);
/** This one begins with a place of each kind: a reading, an event, a refund, the end of another call. */
const SEED = Number(process.env['TEST_SEED'] ?? 857);
const PRICE_MINOR = 40_000;
const CARD = '4242424242424242';
/** A place may be passed several times: at which of them billing is killed. */
const MOST_PASSED = 4;
const SIMULATOR_TOO = 0.3;

/** How a paid subscription ends, and for what reason money goes back then. */
const ENDS = {
  blocked: ['asked by mail', 'blocked'],
  revoked: ['asked by mail'],
  second: ['asked by mail', 'second'],
} as const;
type End = keyof typeof ENDS;

let billing: KilledBilling;
let users: PublishedUsers;
let coachId: string;
let prices = 0;
beforeAll(async () => {
  billing = await KilledBilling.start();
  users = new PublishedUsers(systemClock);
  coachId = await person({ isCoach: true });
  const { accountId } = await billing.act<{ accountId: string }>('account', { userId: coachId });
  await billing.simulator.control(`accounts/${accountId}/onboard`, { ready: true });
  await billing.until(
    async () => (await billing.rows('SELECT FROM payout_accounts WHERE is_ready')).length > 0,
    'a coach who can be paid',
  );
});
afterAll(() => billing?.stop());

async function person(fields: { isCoach?: boolean } = {}): Promise<string> {
  const state = users.first(fields);
  await billing.act('user', { state });
  return state.id;
}

const accessOf = async (userId: string) =>
  (await billing.rows('SELECT FROM subscriptions WHERE user_id = $1 AND gives_access', [userId])).length > 0;

const isEnding = async (userId: string) => {
  const [row] = await billing.rows<{ ends: boolean }>(
    'SELECT cancel_at_period_end AS ends FROM subscriptions WHERE user_id = $1',
    [userId],
  );
  return row!.ends;
};

/** An operator looks before repeating a command whose answer was lost. */
async function refund(userId: string): Promise<void> {
  const words = ['refund', userId, coachId, '--amount', '50', '--reason', 'asked by mail', '--apply'];
  const isOrdered = async () =>
    (
      await billing.rows(
        `SELECT FROM refunds r JOIN subscriptions s USING (provider_subscription_id) WHERE s.user_id = $1`,
        [userId],
      )
    ).length > 0;
  while (!(await isOrdered())) await billing.tryOnce('command', { words });
}

/** What a page that was left open in another tab sells: a second subscription of the same pair. */
async function payTwice(userId: string): Promise<void> {
  const { stripe } = billing.simulator;
  const [first] = await billing.rows<{ customer: string; account: string; price: string }>(
    `SELECT c.customer_id AS customer, a.account_id AS account, p.provider_id AS price
     FROM provider_customers c, payout_accounts a, prices p
     WHERE c.user_id = $1 AND a.coach_id = $2 AND p.coach_id = $2 ORDER BY p.id DESC LIMIT 1`,
    [userId, coachId],
  );
  const metadata = { pulso_installation: 'pulso', pulso_user: userId, pulso_coach: coachId };
  const { id } = await stripe.checkout.sessions.create({
    ...{ mode: 'subscription', customer: first!.customer, metadata },
    line_items: [{ price: first!.price, quantity: 1 }],
    ...{ success_url: 'https://pulso.example/yes', cancel_url: 'https://pulso.example/no' },
    subscription_data: { metadata, transfer_data: { destination: first!.account } },
  });
  await billing.simulator.control(`checkouts/${id}/pay`, { card: CARD });
}

const ending: Readonly<Record<End, (userId: string) => Promise<unknown>>> = {
  blocked: (userId) =>
    billing.act('block', { state: { blockerId: coachId, blockedId: userId, active: true, version: 1 } }),
  revoked: (userId) =>
    billing.act('command', { words: ['revoke', userId, coachId, '--reason', 'asked by mail', '--apply'] }),
  second: payTwice,
};

/** A price that the provider does not know yet. */
async function newPrice(): Promise<number> {
  prices += 1;
  const priceMinor = PRICE_MINOR + prices;
  await billing.act('intent', { state: { userId: coachId, version: prices, priceMinor, currency: 'MXN' } });
  return priceMinor;
}

interface Member {
  userId: string;
  priceMinor: number;
  end: End;
}

/** A member comes, pays, cancels, resumes, gets a part back, and goes. */
async function comeAndGo(end: End): Promise<Member> {
  const [userId, priceMinor] = [await person(), await newPrice()];
  const { url } = await billing.act<{ url: string }>('checkout', { userId, coachId });
  const checkout = /cs_\w+/.exec(url)![0];
  await billing.simulator.control(`checkouts/${checkout}/pay`, { card: CARD });
  await billing.until(() => accessOf(userId), 'access of who has paid');
  await billing.act('cancel', { userId, coachId });
  await billing.act('subscribe', { userId, coachId });
  await billing.until(async () => !(await isEnding(userId)), 'a subscription that goes on');
  await refund(userId);
  await ending[end](userId);
  await billing.atRest();
  return { userId, priceMinor, end };
}

/** Access, the provider's book and billing's say the same of a member, who has paid once and got back what is due, once. */
async function check({ userId, priceMinor, end }: Member): Promise<void> {
  const { stripe } = billing.simulator;
  const customers = (await all(stripe.customers.list({ limit: 100 }))).filter(
    ({ metadata }) => metadata['pulso_user'] === userId,
  );
  expect(customers).toHaveLength(1);
  const customer = customers[0]!.id;
  const subscriptions = (await stripe.subscriptions.list({ customer, status: 'all' })).data;
  const live = subscriptions.filter(({ status }) => status === 'active');
  const bought = end === 'second' ? 2 : 1;
  expect([subscriptions.length, live.length]).toEqual([bought, end === 'second' ? 1 : 0]);
  expect(live.some(({ cancel_at_period_end: ends }) => ends)).toBe(false);
  expect(await accessOf(userId)).toBe(live.length > 0);
  const charges = (await stripe.charges.list({ customer, limit: 100 })).data;
  expect(charges.map(({ amount, paid }) => [amount, paid])).toEqual(Array(bought).fill([priceMinor, true]));

  const own = await billing.rows<{ id: string; amount: number; reason: string; state: string }>(
    `SELECT refund_id AS id, amount_minor AS amount, reason, state FROM refunds
     WHERE payment_id = ANY ($1) ORDER BY reason`,
    [charges.map(({ payment_intent: id }) => id)],
  );
  expect(own.map(({ reason }) => reason)).toEqual(ENDS[end]);
  expect(new Set(own.map(({ state }) => state))).toEqual(new Set(['paid']));
  const theirs = await Promise.all(charges.map(({ id }) => all(stripe.refunds.list({ charge: id }))));
  const money = (list: readonly { id: string; amount: number }[]) =>
    new Map(list.map(({ id, amount }) => [id, amount]));
  expect(money(theirs.flat())).toEqual(money(own));
  for (const { amount_refunded: refunded, transfer } of charges) {
    const { amount_reversed: reversed } = await stripe.transfers.retrieve(String(transfer));
    expect(reversed).toBe(refunded);
  }
  const backMinor = own.reduce((sum, { amount }) => sum + amount, 0);
  expect(backMinor).toBe({ blocked: priceMinor, revoked: 5_000, second: priceMinor + 5_000 }[end]);
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}

/** All places in an order of the seed, again and again. */
function placeOf(round: number): Place {
  const dice = new Dice(SEED + Math.floor(round / PLACES.length));
  return dice.shuffled(PLACES)[round % PLACES.length]!;
}

/** A member's life with a kill in it, after which all agree. */
async function killOnce(place: Place, left: number, end: End): Promise<void> {
  await billing.arm(place, left);
  const member = await comeAndGo(end);
  await check(member);
  expect(await billing.act('command', { words: ['reconcile'] })).toContain('Nothing differs.');
  const stuck = await billing.rows(
    "SELECT kind, state, last_error FROM foreign_calls WHERE state NOT IN ('done', 'not-executed')",
  );
  expect(stuck).toEqual([]);
}

// Rule: SUBS-10, SUBS-12, SUBS-17, SUBS-18, SUBS-22
it(`billing and its provider agree over ${ROUNDS} kill -9 of their processes (TEST_SEED=${SEED})`, async () => {
  for (let round = FIRST; round < FIRST + ROUNDS; round += 1) {
    const [place, dice] = [placeOf(round), new Dice(SEED + round)];
    const [left, end] = [1 + dice.below(MOST_PASSED), dice.pick(Object.keys(ENDS) as End[])];
    billing.whenKilled = async () => {
      if (!dice.chance(SIMULATOR_TOO)) return;
      await billing.simulator.kill();
      await billing.simulator.start();
    };
    const killed = billing.killedAt.length;
    try {
      await killOnce(place, left, end);
      // It is not passed so often in each life.
      if (billing.killedAt.length === killed) await killOnce(place, 1, end);
      expect(billing.killedAt.slice(killed)).toEqual([place]);
    } catch (error) {
      const again = `TEST_SEED=${SEED} BILLING_PLACE_FIRST=${round} BILLING_PLACE_KILLS=1`;
      throw new Error(`${again}: ${place}, time ${left}, ${end}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
});
