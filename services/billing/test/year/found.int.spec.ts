import { GRACE_MS } from '../../src/store/subscription.js';
import { MONTH_MS } from '../support/fake-book.js';
import type { FakeProvider } from '../support/fake-provider.js';
import { Payments } from '../support/payments.js';
import type { Billing } from '../start.js';

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

/** The next month is paid at the provider, which has not told of it yet. */
function renewUnseen(): void {
  billing.clock.advance(MONTH_MS);
  provider.turn();
}

// Rule: SUBS-11, SUBS-12
describe('what a simulated year has found: the money goes back', () => {
  it('of a renewal that billing could not see when the member unsubscribed', async () => {
    const { ana, coach, paid } = await payments.couple();
    renewUnseen();
    provider.failNext('subscriptionsOf', 'unknown');
    await billing.cancel(ana, coach);
    await payments.tellAll();
    expect(provider.keptMinor(paid)).toBe(0);
    expect((await billing.standing(ana, coach))[1]).toBe(false);
  });

  it('of a renewal that billing had not seen when the coach stopped', async () => {
    const { ana, coach, paid } = await payments.couple();
    renewUnseen();
    await billing.change(coach, { isCoach: false });
    await payments.tellAll();
    expect(provider.keptMinor(paid)).toBe(0);
    expect((await billing.standing(ana, coach))[1]).toBe(false);
  });

  it('of a month that the provider began after a block by the subscriber, before it was told', async () => {
    const { ana, coach, paid } = await payments.couple();
    const held = provider.holdNext('cancelNow');
    await billing.block(ana, coach);
    await held.reached;
    renewUnseen();
    held.release();
    await payments.tellAll();
    expect(provider.keptMinor(paid)).toBe(0);
  });

  // Rule: SUBS-10
  it('of a second one in another currency, read while a call about the first is under way', async () => {
    const { ana, coach, paid } = await payments.couple();
    const dollars = await payments.customer(ana, 'USD');
    const second = provider.subscribe(dollars, coach.id);
    const held = provider.holdNext('setCancelAtPeriodEnd');
    await billing.cancel(ana, coach);
    await held.reached;
    await payments.sync(dollars);
    held.release();
    await payments.settle();
    expect(provider.living({ userId: ana.id, coachId: coach.id }).map(({ id }) => id)).toEqual([paid]);
    expect(provider.keptMinor(second)).toBe(0);
  });
});

// Rule: SUBS-11
it('unsubscribing ends also what the member has let go on in the portal, before billing was told', async () => {
  const { ana, coach, paid } = await payments.couple();
  await billing.cancel(ana, coach);
  await payments.tellAll();
  provider.setEnding(paid, false);
  expect(await billing.cancel(ana, coach)).toMatchObject({ cancelAtPeriodEnd: true });
  await payments.tellAll();
  expect(provider.subscriptions.get(paid)).toMatchObject({ cancelAtPeriodEnd: true });
});

// Rule: SUBS-33
it('what has lapsed ends at the provider, although the payer’s other customer was read first', async () => {
  const { ana, coach, customer, paid } = await payments.couple();
  const dollars = await payments.customer(ana, 'USD');
  provider.subscribe(dollars, coach.id);
  await payments.tellAll();
  provider.setCard(customer, false);
  renewUnseen();
  await payments.tellAll();
  billing.clock.advance(GRACE_MS + 1);
  await payments.sync(dollars);
  await payments.reconcile();
  await payments.tellAll();
  expect(provider.living({ userId: ana.id, coachId: coach.id })).toEqual([]);
  expect(provider.subscriptions.get(paid)).toMatchObject({ status: 'cancelled' });
});

// Rule: SUBS-9, SUBS-11
it('unsubscribing from what the provider’s people have ended, before billing was told, pays nothing back beside what they did', async () => {
  const { ana, coach, paid } = await payments.couple();
  provider.end(paid);
  const ended = provider.subscriptions.get(paid)!;
  const latestPayment = { ...ended.latestPayment!, refundedMinor: 15_000 };
  provider.subscriptions.set(paid, { ...ended, latestPayment });
  await billing.cancel(ana, coach);
  await payments.tellAll();
  expect(provider.keptMinor(paid)).toBe(latestPayment.paidMinor - 15_000);
  expect((await billing.standing(ana, coach))[1]).toBe(false);
});
