import { SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { DELETED, outcome, SUSPENDED } from './start.js';
import { Payments } from './support/payments.js';
import { PAGE, Paying } from './support/paying.js';

const HOUR_MS = 60 * 60_000;
const ALREADY = 'conflict conflict';

let paying: Paying;
beforeAll(async () => (paying = await Paying.start()));
afterEach(() => paying.provider.recover());
afterAll(() => paying?.stop());

const couple = async () => ({ ana: await paying.billing.person(), carla: await paying.seller() });
const subscribed = (user: { id: string }) =>
  paying.billing.rows('SELECT FROM subscriptions WHERE user_id = $1 AND gives_access', [user.id]);

describe('the page to pay on', () => {
  // Rule: SUBS-7, SUBS-14, SUBS-16
  it('has billing’s own price, customer and account, and gives no access', async () => {
    const { ana, carla } = await couple();
    const url = await paying.checkout(ana, carla);
    const [made, ...others] = paying.checkouts(ana, carla);
    expect(others).toEqual([]);
    expect(made).toMatchObject({ url, amountMinor: 40_000, currency: 'MXN', state: 'open' });
    expect(made!.expiresAt).toBe(paying.billing.clock.now() + HOUR_MS);
    expect(paying.provider.customers.get(made!.customerId)).toMatchObject({
      userId: ana.id,
      currency: 'MXN',
    });
    expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('payment-required payment-required');
    expect(await subscribed(ana)).toEqual([]);
    expect(await paying.billing.standing(ana, carla)).toEqual([0, false]);
  });

  // Rule: SUBS-10
  it('is one for a double click, two tabs and later presses, also from other pages', async () => {
    const { ana, carla } = await couple();
    const presses = Array.from({ length: 10 }, (_, tab) => paying.checkout(ana, carla, `${PAGE}/${tab % 3}`));
    const urls = new Set([...(await Promise.all(presses)), await paying.checkout(ana, carla)]);
    expect(urls.size).toBe(1);
    expect(paying.checkouts(ana, carla)).toHaveLength(1);
    const own = [...paying.provider.customers.values()].filter(({ userId }) => userId === ana.id);
    expect(own).toHaveLength(1);
  });

  it('is asked of the provider in one request for each of its parts, and in none of them by the next press', async () => {
    const { ana, carla } = await couple();
    const { asked } = paying.provider;
    asked.clear();
    await paying.checkout(ana, carla);
    // The account is new, too: nothing has told yet that it is ready.
    expect(Object.fromEntries(asked)).toEqual({
      ...{ account: 1, createCustomer: 1, createPrice: 1, createCheckout: 1 },
    });
    asked.clear();
    await paying.checkout(ana, carla);
    // Whether it was paid, and whether it is open.
    expect(Object.fromEntries(asked)).toEqual({ subscriptionsOf: 1, checkout: 1 });
  });

  // Rule: SUBS-16
  it('has one customer a user and currency, for all coaches', async () => {
    const { ana, carla } = await couple();
    const mike = await paying.seller();
    const dollars = await paying.seller();
    await paying.setPrice(dollars, 2_500, 'USD');
    for (const coach of [carla, mike, dollars]) await paying.checkout(ana, coach);
    const customers = [carla, mike, dollars].map((coach) => paying.checkouts(ana, coach)[0]!.customerId);
    expect(customers[1]).toBe(customers[0]);
    expect(customers[2]).not.toBe(customers[0]);
  });

  // Rule: SUBS-14
  it('is made anew once it has closed', async () => {
    const { ana, carla } = await couple();
    const first = await paying.checkout(ana, carla);
    paying.billing.clock.advance(HOUR_MS);
    paying.provider.turn();
    const second = await paying.checkout(ana, carla);
    expect(second).not.toBe(first);
    // Somebody has closed it at the provider.
    paying.provider.checkouts.get(second.split('/').at(-1)!)!.state = 'expired';
    expect(await paying.checkout(ana, carla)).not.toBe(second);
  });

  // Rule: SUBS-14
  it('is closed and made anew with the new price when the price has changed', async () => {
    const { ana, carla } = await couple();
    const first = await paying.checkout(ana, carla);
    await paying.setPrice(carla, 50_000);
    const second = await paying.checkout(ana, carla);
    expect(second).not.toBe(first);
    expect(paying.checkouts(ana, carla).map(({ state, amountMinor }) => [state, amountMinor])).toEqual([
      ['expired', 40_000],
      ['open', 50_000],
    ]);
    await paying.setPrice(carla, 2_500, 'USD');
    await paying.checkout(ana, carla);
    expect(paying.checkouts(ana, carla).map(({ state }) => state)).toEqual(['expired', 'expired', 'open']);
  });

  // Rule: SUBS-10
  it('is none where the old one was paid before its price changed: the subscription is there', async () => {
    const { ana, carla } = await couple();
    await paying.pay(ana, carla);
    await paying.setPrice(carla, 50_000);
    expect(await outcome(paying.checkout(ana, carla))).toBe(ALREADY);
    expect((await paying.billing.get(ana, carla)).paid).toEqual({ amountMinor: 40_000, currency: 'MXN' });
    expect(paying.provider.living({ userId: ana.id, coachId: carla.id })).toHaveLength(1);
  });

  // Rule: SUBS-10
  it('is none for who pays already, whether billing has heard of it or not', async () => {
    const { ana, carla } = await couple();
    await paying.subscribed(ana, carla);
    expect(await outcome(paying.checkout(ana, carla))).toBe(ALREADY);
    // Its events were lost, and so was billing's own row.
    const { ana: ben } = await couple();
    await paying.pay(ben, carla);
    await paying.billing.rows('UPDATE checkouts SET state = $2 WHERE user_id = $1', [ben.id, 'expired']);
    expect(await outcome(paying.checkout(ben, carla))).toBe(ALREADY);
    expect((await paying.billing.get(ben, carla)).givesAccess).toBe(true);
  });
});

describe('a refusal', () => {
  // Rule: SUBS-5, SUBS-8, SUBS-19, SUBS-21
  it('comes for oneself, members, the unknown, visitors, a missing price, and a coach who cannot be paid', async () => {
    const { ana, carla } = await couple();
    const member = await paying.billing.person();
    expect(await outcome(paying.checkout(carla, carla))).toBe('unprocessable cannot-subscribe-self');
    expect(await outcome(paying.checkout(ana, member))).toBe('unprocessable not-a-coach');
    for (const id of [newId(), 'nobody', ''])
      expect(await outcome(paying.checkout(ana, { id }))).toBe('not-found not-found');
    expect(await outcome(paying.checkout(null, carla))).toBe('unauthenticated not-authenticated');
    await paying.setPrice(carla, undefined);
    expect(await outcome(paying.checkout(ana, carla))).toBe('unprocessable price-not-set');
    await paying.setPrice(carla, 0);
    expect(await outcome(paying.checkout(ana, carla))).toBe('unprocessable unprocessable');
    const newcomer = await paying.billing.coach();
    await paying.setPrice(newcomer, 40_000);
    expect(await outcome(paying.checkout(ana, newcomer))).toBe('unprocessable coach-not-ready');
    const account = await paying.account(newcomer);
    expect(await outcome(paying.checkout(ana, newcomer))).toBe('unprocessable coach-not-ready');
    expect(paying.checkouts(ana, newcomer)).toEqual([]);
    // The event has not come; the provider is asked.
    paying.provider.onboard(account);
    expect(await outcome(paying.checkout(ana, newcomer))).toBe('resolved');
  });

  // Rule: SUBS-8, SUBS-12
  it('comes between blocked users, for a suspended coach, and to a suspended caller', async () => {
    const { ana, carla } = await couple();
    await paying.billing.block(ana, carla);
    expect(await outcome(paying.checkout(ana, carla))).toBe('permission-denied blocked');
    await paying.billing.block(ana, carla, false);
    await paying.billing.block(carla, ana);
    expect(await outcome(paying.checkout(ana, carla))).toBe('not-found not-found');
    await paying.billing.block(carla, ana, false);
    await paying.billing.change(carla, { status: SUSPENDED });
    expect(await outcome(paying.checkout(ana, carla))).toBe('not-found not-found');
    await paying.billing.change(ana, { status: SUSPENDED });
    expect(await outcome(paying.checkout(ana, carla))).toBe('permission-denied user-disabled');
    expect(paying.checkouts(ana, carla)).toEqual([]);
    expect(await paying.billing.rows('SELECT FROM checkouts WHERE user_id = $1', [ana.id])).toEqual([]);
  });

  // Rule: SUBS-12
  it('of a block comes while the page is being opened, too', async () => {
    const { ana, carla } = await couple();
    const held = paying.provider.holdNext('createCustomer');
    const pressed = outcome(paying.checkout(ana, carla));
    await held.reached;
    await paying.billing.block(ana, carla);
    held.release();
    expect(await pressed).toBe('permission-denied blocked');
    expect(paying.checkouts(ana, carla)).toEqual([]);
  });
});

// Rule: SUBS-12, SUBS-14
describe('an open page is closed at the provider', () => {
  const open = async () => {
    const pair = await couple();
    await paying.checkout(pair.ana, pair.carla);
    return pair;
  };
  const closed = async ({ ana, carla }: Awaited<ReturnType<typeof couple>>, what: string) => {
    await until(() => paying.checkouts(ana, carla).every(({ state }) => state === 'expired'), {
      what: `a page that is closed by ${what}`,
    });
    expect(paying.checkouts(ana, carla)).toHaveLength(1);
    const rows = await paying.billing.rows('SELECT state FROM checkouts WHERE user_id = $1', [ana.id]);
    expect(rows).toEqual([{ state: 'expired' }]);
  };

  it.each<[string, (pair: Awaited<ReturnType<typeof couple>>) => Promise<void>]>([
    ['the coach’s block', ({ ana, carla }) => paying.billing.block(carla, ana)],
    ['the member’s block', ({ ana, carla }) => paying.billing.block(ana, carla)],
    ['the coach’s suspension', ({ carla }) => paying.billing.change(carla, { status: SUSPENDED })],
    ['the end of the coach’s account', ({ carla }) => paying.billing.change(carla, { status: DELETED })],
    ['the end of the member’s account', ({ ana }) => paying.billing.change(ana, { status: DELETED })],
    ['a lost coach flag', ({ carla }) => paying.billing.change(carla, { isCoach: false })],
  ])('by %s', async (what, act) => {
    const pair = await open();
    const other = await open();
    await act(pair);
    await closed(pair, what);
    expect(paying.checkouts(other.ana, other.carla).map(({ state }) => state)).toEqual(['open']);
  });

  it('although its answer came after the block', async () => {
    const pair = await couple();
    const { ana, carla } = pair;
    const held = paying.provider.holdNext('createCheckout');
    const pressed = outcome(paying.checkout(ana, carla));
    await held.reached;
    await paying.billing.block(ana, carla);
    held.release();
    await pressed;
    await closed(pair, 'a block before it was made');
  });

  it('and what was paid all the same is paid back', async () => {
    const { ana, carla } = await open();
    paying.provider.failNext('expireCheckout', 'unknown');
    const paid = paying.provider.pay(paying.checkouts(ana, carla)[0]!.id);
    await paying.billing.block(carla, ana);
    await paying.repeatCalls();
    const payments = new Payments(paying.billing, paying.provider);
    await payments.tellAll();
    expect([paying.provider.subscriptions.get(paid)!.status, paying.provider.keptMinor(paid)]).toEqual([
      'cancelled',
      0,
    ]);
  });
});

// Rule: SUBS-14, SUBS-22
describe('while the provider fails', () => {
  it('nothing is granted, and the page is made once it certainly was not', async () => {
    const { ana, carla } = await couple();
    paying.provider.failNext('createCheckout', 'not-executed');
    expect(await outcome(paying.checkout(ana, carla))).toBe('unavailable unavailable');
    expect(await outcome(paying.checkout(ana, carla))).toBe('resolved');
    expect(paying.checkouts(ana, carla)).toHaveLength(1);
    expect(await subscribed(ana)).toEqual([]);
  });

  it('a lost answer is told as unknown, and never makes a second page', async () => {
    const { ana, carla } = await couple();
    paying.provider.failNext('createCheckout', 'after-effect', 50);
    expect(await outcome(paying.checkout(ana, carla))).toBe('unavailable outcome-unknown');
    expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('payment-required payment-required');
    await paying.repeatCalls();
    const url = await paying.checkout(ana, carla);
    expect(paying.checkouts(ana, carla).map((made) => made.url)).toEqual([url]);
  });

  it('a refusal is told, and the next press tries anew', async () => {
    const { ana, carla } = await couple();
    paying.provider.failNext('createCheckout', 'refused');
    expect(await outcome(paying.checkout(ana, carla))).toBe('unprocessable unprocessable');
    expect(await outcome(paying.checkout(ana, carla))).toBe('resolved');
  });

  it('customers and prices are made once, too', async () => {
    const { ana, carla } = await couple();
    paying.provider.failNext('createCustomer', 'not-executed');
    expect(await outcome(paying.checkout(ana, carla))).toBe('unavailable unavailable');
    paying.provider.failNext('createPrice', 'after-effect', 50);
    expect(await outcome(paying.checkout(ana, carla))).toBe('unavailable outcome-unknown');
    await paying.repeatCalls();
    expect(await outcome(paying.checkout(ana, carla))).toBe('resolved');
    const prices = [...paying.provider.prices.values()].filter(({ coachId }) => coachId === carla.id);
    expect(prices).toHaveLength(1);
  });

  it('who has access keeps it', async () => {
    const { ana, carla } = await couple();
    await paying.subscribed(ana, carla);
    for (const failing of ['unknown', 'not-executed', 'refused'] as const) {
      paying.provider.failNext('subscriptionsOf', failing);
      expect((await paying.billing.subscribe(ana, carla)).subscription).toMatchObject({ givesAccess: true });
    }
    expect(await paying.billing.standing(ana, carla)).toEqual([1, true]);
  });
});

// Rule: SUBS-8, SUBS-11, SUBS-14
describe('who comes back from the page', () => {
  it('has access once it is paid, without any event', async () => {
    const { ana, carla } = await couple();
    await paying.checkout(ana, carla);
    expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('payment-required payment-required');
    const [page] = paying.checkouts(ana, carla);
    paying.provider.pay(page!.id);
    const { subscription } = await paying.billing.subscribe(ana, carla);
    expect(subscription).toMatchObject({
      status: SubscriptionStatus.SUBSCRIPTION_STATUS_ACTIVE,
      givesAccess: true,
      paid: { amountMinor: 40_000, currency: 'MXN' },
    });
    expect(await paying.billing.standing(ana, carla)).toEqual([1, true]);
    const again = await paying.billing.subscribe(ana, carla);
    expect(again).toEqual({ subscription, created: false });
  });

  // Rule: SUBS-14
  it('buys anew at the first press where what was paid on the page has ended within its hour', async () => {
    const { ana, carla } = await couple();
    const first = await paying.subscribed(ana, carla);
    const [page] = paying.checkouts(ana, carla);
    paying.provider.dispute(first);
    await new Payments(paying.billing, paying.provider).tellAll();
    expect(await paying.billing.standing(ana, carla)).toEqual([0, false]);
    await paying.checkout(ana, carla);
    const again = paying.checkouts(ana, carla).find(({ id }) => id !== page!.id)!;
    paying.provider.pay(again.id);
    expect((await paying.billing.subscribe(ana, carla)).subscription).toMatchObject({ givesAccess: true });
  });

  it('has none where the provider cannot be read, and learns it later', async () => {
    const { ana, carla } = await couple();
    await paying.pay(ana, carla);
    paying.provider.failNext('subscriptionsOf', 'unknown');
    expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('payment-required payment-required');
    expect((await paying.billing.subscribe(ana, carla)).subscription).toMatchObject({ givesAccess: true });
  });

  it('may cancel with the period, at the provider, too, and go on', async () => {
    const { ana, carla } = await couple();
    const id = await paying.subscribed(ana, carla);
    const atProvider = () => paying.provider.subscriptions.get(id)!;
    const ending = await paying.billing.cancel(ana, carla);
    expect(ending).toMatchObject({ cancelAtPeriodEnd: true, givesAccess: true });
    await until(() => atProvider().cancelAtPeriodEnd, { what: 'a subscription that ends at the provider' });
    const on = await paying.billing.subscribe(ana, carla);
    expect(on.subscription).toMatchObject({ cancelAtPeriodEnd: false, givesAccess: true });
    await until(() => !atProvider().cancelAtPeriodEnd, {
      what: 'a subscription that goes on at the provider',
    });
    expect(await outcome(paying.checkout(ana, carla))).toBe(ALREADY);
  });

  it('is not let in for nothing by a cancellation that runs out, or by a price that is taken away', async () => {
    const { ana, carla } = await couple();
    const id = await paying.subscribed(ana, carla);
    paying.provider.end(id);
    const { subscription } = await paying.billing.subscribe(ana, carla);
    expect(subscription).toMatchObject({
      ...{ status: SubscriptionStatus.SUBSCRIPTION_STATUS_CANCELLED, givesAccess: true },
      paid: { amountMinor: 40_000, currency: 'MXN' },
    });
    const start = paying.billing.clock.now();
    onTestEnd(() => paying.billing.clock.set(start));
    paying.billing.clock.set(subscription!.accessUntil!);
    expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('payment-required payment-required');
    await paying.setPrice(carla, undefined);
    expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('unprocessable price-not-set');
    await paying.setPrice(carla, 0);
    expect((await paying.billing.subscribe(ana, carla)).subscription).toMatchObject({
      ...{ status: SubscriptionStatus.SUBSCRIPTION_STATUS_ACTIVE, givesAccess: true, paid: undefined },
    });
  });
});
