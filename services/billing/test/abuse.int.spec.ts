import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { HandleProviderEvents } from '../src/provider-events/handle-provider-events.js';
import { DELETED, outcome, type Person } from './start.js';
import { MONTH_MS } from './support/fake-book.js';
import { PAGE, Paying } from './support/paying.js';
import { Payments } from './support/payments.js';

/** What somebody tries who wants access, or money, that is not theirs: docs/abuse.md has all of it. */
const DAY_MS = 24 * 60 * 60_000;

let paying: Paying;
let payments: Payments;
beforeAll(async () => {
  paying = await Paying.start();
  payments = new Payments(paying.billing, paying.provider);
  await payments.stopWorkers();
});
afterAll(() => paying?.stop());

const couple = async () => ({ ana: await paying.billing.person(), carla: await paying.seller() });
const paidCouple = async () => {
  const { ana, carla } = await couple();
  const paid = await paying.subscribed(ana, carla);
  await payments.tellAll();
  const { customerId } = paying.provider.subscriptions.get(paid)!;
  return { ana, carla, paid, customerId };
};
const hasAccess = async (user: Person, coach: Person) => (await paying.billing.standing(user, coach))[1];
const rowsOf = (user: Person) =>
  paying.billing.rows('SELECT FROM subscriptions WHERE user_id = $1 AND gives_access', [user.id]);
const checkoutId = (url: string) => url.split('/').at(-1)!;
/** Lets time pass for this test alone. */
const pass = (ms: number) => {
  const start = paying.billing.clock.now();
  onTestEnd(() => paying.billing.clock.set(start));
  paying.billing.clock.advance(ms);
};

describe('a page to pay on', () => {
  // Rule: SUBS-14, SUBS-30
  it('that somebody else pays gives access to the one who opened it, and to nobody else', async () => {
    const { ana, carla } = await couple();
    const mallory = await paying.billing.person();
    paying.provider.pay(checkoutId(await paying.checkout(ana, carla)));
    await payments.tellAll();
    expect(await outcome(paying.billing.subscribe(mallory, carla))).toBe('payment-required payment-required');
    expect([await hasAccess(ana, carla), await hasAccess(mallory, carla)]).toEqual([true, false]);
    expect(await rowsOf(mallory)).toEqual([]);
  });

  // Rule: SUBS-14
  it('whose way back is forged lets nobody in, however often it is tried', async () => {
    const { ana, carla } = await couple();
    await paying.checkout(ana, carla, `${PAGE}?checkout=done`);
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => outcome(paying.billing.subscribe(ana, carla))),
    );
    expect(new Set(tries)).toEqual(new Set(['payment-required payment-required']));
    expect(await rowsOf(ana)).toEqual([]);
  });

  // Rule: SUBS-12
  it('that a deleted user has left open is paid back whole where it is paid before it closes', async () => {
    const { ana, carla } = await couple();
    const page = checkoutId(await paying.checkout(ana, carla));
    const closing = paying.provider.holdNext('expireCheckout');
    await paying.billing.change(ana, { status: DELETED });
    const paid = paying.provider.pay(page);
    closing.release();
    await payments.tellAll();
    expect(paying.provider.keptMinor(paid)).toBe(0);
    expect(paying.provider.living({ userId: ana.id, coachId: carla.id })).toEqual([]);
    expect(await rowsOf(ana)).toEqual([]);
  });

  // Rule: SUBS-19
  it('is none for a coach who can be paid no longer', async () => {
    const { ana, carla } = await couple();
    paying.provider.onboard(await paying.account(carla), false);
    await payments.tellAll();
    expect(await outcome(paying.checkout(ana, carla))).toBe('unprocessable coach-not-ready');
    expect(paying.checkouts(ana, carla)).toEqual([]);
  });

  // Rule: SUBS-6, SUBS-16
  it('in another currency, after the coach has changed it, leaves those who pay already what they pay', async () => {
    const { ana, carla } = await paidCouple();
    const ben = await paying.billing.person();
    await paying.setPrice(carla, 2_000, 'USD');
    await paying.subscribed(ben, carla);
    await payments.tellAll();
    expect(await outcome(paying.checkout(ana, carla))).toBe('conflict conflict');
    expect((await paying.billing.get(ana, carla)).paid).toEqual({ amountMinor: 40_000, currency: 'MXN' });
    expect((await paying.billing.get(ben, carla)).paid).toEqual({ amountMinor: 2_000, currency: 'USD' });
  });
});

// Rule: SUBS-17
describe('an event', () => {
  it('that says what is not so changes nothing: the subscription is read', async () => {
    const { ana, carla, paid } = await paidCouple();
    paying.provider.setEnding(paid, false);
    const [event] = paying.provider.takeEvents();
    const lies = ['customer.subscription.deleted', 'charge.refunded', 'invoice.payment_failed'];
    await payments.take(lies.map((type) => ({ ...event!, id: `${event!.id}_${type}`, type })));
    await payments.settle();
    expect(await hasAccess(ana, carla)).toBe(true);
  });

  it('in a hundred copies at once is one row, and one reading', async () => {
    const { ana, carla, paid } = await paidCouple();
    paying.provider.setEnding(paid, true);
    const [event] = paying.provider.takeEvents();
    const reads = paying.provider.asked.get('subscriptionsOf') ?? 0;
    await Promise.all(Array.from({ length: 100 }, () => payments.take([event!])));
    await paying.billing.service.get(HandleProviderEvents).execute();
    expect(paying.provider.asked.get('subscriptionsOf')).toBe(reads + 1);
    expect(await paying.billing.rows('SELECT FROM provider_events WHERE id = $1', [event!.id])).toHaveLength(
      1,
    );
    expect((await paying.billing.get(ana, carla)).cancelAtPeriodEnd).toBe(true);
  });
});

// Rule: SUBS-17, SUBS-18
it('marks that were changed at the provider give nobody else the access', async () => {
  const { carla, paid, customerId } = await paidCouple();
  const mallory = await paying.billing.person();
  const subscription = paying.provider.subscriptions.get(paid)!;
  const pair = { userId: mallory.id, coachId: carla.id };
  paying.provider.subscriptions.set(paid, { ...subscription, pair });
  await payments.sync(customerId);
  await payments.reconcile();
  await payments.settle();
  expect([await hasAccess(mallory, carla), await rowsOf(mallory)]).toEqual([false, []]);
});

// Rule: SUBS-12
it('who was blocked gets nothing back by resuming, by events of before, or by the end of the block', async () => {
  const { ana, carla, paid, customerId } = await paidCouple();
  paying.provider.setEnding(paid, false);
  const before = paying.provider.takeEvents();
  await paying.billing.block(carla, ana);
  await payments.settle();
  expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('not-found not-found');
  expect(await outcome(paying.checkout(ana, carla))).toBe('not-found not-found');
  await paying.billing.block(carla, ana, false);
  await payments.take(before);
  await payments.sync(customerId);
  await payments.reconcile();
  await payments.settle();
  expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('payment-required payment-required');
  expect([
    await hasAccess(ana, carla),
    paying.provider.living({ userId: ana.id, coachId: carla.id }),
  ]).toEqual([false, []]);
});

// Rule: SUBS-9, SUBS-11
it('who unsubscribes while a payment is missing is out at once, and is let in again for money alone', async () => {
  const { ana, carla, paid, customerId } = await paidCouple();
  paying.provider.setCard(customerId, false);
  pass(MONTH_MS);
  paying.provider.turn();
  await payments.tellAll();
  paying.billing.clock.advance(DAY_MS);
  expect(await hasAccess(ana, carla)).toBe(true);
  await paying.billing.cancel(ana, carla);
  expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('payment-required payment-required');
  await payments.tellAll();
  // In the portal nothing is left to be resumed, and nothing to be collected.
  expect(paying.provider.living({ userId: ana.id, coachId: carla.id })).toEqual([]);
  expect(paying.provider.retryPayment(paid)).toBe(false);
  expect([await hasAccess(ana, carla), await payments.refunds(paid)]).toEqual([false, []]);
  expect(await outcome(paying.checkout(ana, carla))).toBe('resolved');
});

it('two operators who pay the same payment back at once pay no more than was paid', async () => {
  const { ana, carla, paid } = await paidCouple();
  const refund = () =>
    paying.billing.command(
      'refund',
      ...[ana.username, carla.username, '--amount', '300', '--reason', 'asked for it', '--apply'],
    );
  const outcomes = await Promise.all([outcome(refund()), outcome(refund())]);
  expect(outcomes.toSorted()).toEqual(['resolved', 'unprocessable unprocessable']);
  await payments.settle();
  expect(paying.provider.keptMinor(paid)).toBe(10_000);
});

// Rule: SUBS-33
it('what is left to pay, and payouts, are told to the caller alone', async () => {
  const { ana, carla, customerId } = await paidCouple();
  paying.provider.setCard(customerId, false);
  pass(MONTH_MS);
  paying.provider.turn();
  await payments.tellAll();
  const status = (user: Person | null) => paying.billing.as(user, (client) => client.getPaymentStatus({}));
  expect((await status(ana)).paymentDueBy).toBeGreaterThan(paying.billing.clock.now());
  expect((await status(carla)).paymentDueBy).toBeUndefined();
  expect((await status(await paying.billing.person())).paymentDueBy).toBeUndefined();
  expect(await outcome(status(null))).toMatch(/^unauthenticated /);
});
