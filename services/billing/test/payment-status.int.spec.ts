import { PayoutState, type PaymentStatus, SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { Billing, outcome, type Person } from './start.js';

const DAY_MS = 24 * 60 * 60_000;
const { SUBSCRIPTION_STATUS_ACTIVE, SUBSCRIPTION_STATUS_PAST_DUE } = SubscriptionStatus;

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

const statusOf = (user: Person | null): Promise<PaymentStatus> =>
  billing.as(user, (client) => client.getPaymentStatus({}));
const ownOf = async (viewer: Person | null, { id }: Person) => {
  const { standings } = await billing.as(viewer, (client) => client.getStandings({ userIds: [id] }));
  return standings[0]!.own;
};
/** A month later, with a card that is not good. */
async function failToRenew(customer: string): Promise<void> {
  provider.setCard(customer, false);
  billing.clock.advance(MONTH_MS);
  provider.turn();
  await payments.tellAll();
}

// Rule: PEOPLE-3
describe('a viewer’s own subscription beside a coach', () => {
  it('has its state, its end and its price while it gives access', async () => {
    const { ana, coach, customer, paid } = await payments.couple();
    const active = { status: SUBSCRIPTION_STATUS_ACTIVE, paid: { amountMinor: 40_000, currency: 'MXN' } };
    expect(await ownOf(ana, coach)).toEqual({ ...active, accessUntil: undefined, cancelAtPeriodEnd: false });
    expect([await ownOf(coach, coach), await ownOf(null, coach)]).toEqual([undefined, undefined]);

    const { currentPeriodEnd } = await billing.get(ana, coach);
    provider.setEnding(paid, true);
    await payments.tellAll();
    const ending = { ...active, accessUntil: currentPeriodEnd, cancelAtPeriodEnd: true };
    expect(await ownOf(ana, coach)).toEqual(ending);

    provider.setEnding(paid, false);
    await failToRenew(customer);
    const accessUntil = currentPeriodEnd! + 7 * DAY_MS;
    const behind = { ...active, status: SUBSCRIPTION_STATUS_PAST_DUE, accessUntil, cancelAtPeriodEnd: false };
    expect(await ownOf(ana, coach)).toEqual(behind);

    billing.clock.advance(7 * DAY_MS - 1);
    expect(await ownOf(ana, coach)).toEqual(behind);
    billing.clock.advance(1);
    expect(await ownOf(ana, coach)).toBeUndefined();
  });

  it('has no price where nothing is paid', async () => {
    const [ana, coach] = [await billing.person(), await billing.coach()];
    await billing.intent(coach, 1, 0);
    await billing.subscribe(ana, coach);
    expect(await ownOf(ana, coach)).toEqual({
      ...{ status: SUBSCRIPTION_STATUS_ACTIVE, cancelAtPeriodEnd: false },
      ...{ accessUntil: undefined, paid: undefined },
    });
  });
});

describe('the status of payments', () => {
  // Rule: SUBS-33
  it('names the first end of access whose payment is missing, until it is paid or access has ended', async () => {
    const { ana, customer, paid } = await payments.couple();
    expect((await statusOf(ana)).paymentDueBy).toBeUndefined();
    await failToRenew(customer);
    const first = provider.subscriptions.get(paid)!.unpaidSince! + 7 * DAY_MS;
    const usd = await payments.customer(ana, 'USD');
    const other = await billing.coach();
    provider.subscribe(usd, other.id);
    await payments.tellAll();
    expect((await statusOf(ana)).paymentDueBy).toBe(first);
    billing.clock.advance(DAY_MS);
    provider.setCard(customer, true);
    provider.retryPayment(paid);
    await payments.tellAll();
    expect((await statusOf(ana)).paymentDueBy).toBeUndefined();
    await failToRenew(usd);
    const [second] = [...provider.subscriptions.values()].filter(({ customerId }) => customerId === usd);
    expect((await statusOf(ana)).paymentDueBy).toBe(second!.unpaidSince! + 7 * DAY_MS);
    billing.clock.advance(7 * DAY_MS);
    expect((await statusOf(ana)).paymentDueBy).toBeUndefined();
  });

  it('names the first of several', async () => {
    const { ana, customer } = await payments.couple();
    billing.clock.advance(DAY_MS);
    const other = await billing.coach();
    provider.subscribe(customer, other.id);
    await payments.tellAll();
    await failToRenew(customer);
    const behind = [...provider.subscriptions.values()].filter(({ customerId }) => customerId === customer);
    const due = behind.map(({ status, unpaidSince }) => [status, unpaidSince! + 7 * DAY_MS] as const);
    expect(due.map(([status]) => status)).toEqual(['past_due', 'past_due']);
    expect(due[0]![1]).toBeLessThan(due[1]![1]);
    expect((await statusOf(ana)).paymentDueBy).toBe(due[0]![1]);
  });

  // Rule: SUBS-19
  it('says how far the account for payouts is', async () => {
    const coach = await billing.coach();
    const payouts = async () => (await statusOf(coach)).payouts;
    expect(await payouts()).toBe(PayoutState.PAYOUT_STATE_NONE);
    const { accountId } = await billing.as(coach, (client) => client.openPayoutAccount({}));
    expect(await payouts()).toBe(PayoutState.PAYOUT_STATE_STARTED);
    provider.onboard(accountId);
    await payments.tellAll();
    expect(await payouts()).toBe(PayoutState.PAYOUT_STATE_READY);
  });

  it('is for users alone', async () => {
    expect(await outcome(statusOf(null))).toBe('unauthenticated not-authenticated');
  });
});

// Rule: SUBS-3
it('without a provider there is no status of payments', async () => {
  const free = await Billing.start();
  onTestEnd(() => free.stop());
  const coach = await free.coach();
  const asked = free.as(coach, (client) => client.getPaymentStatus({}));
  expect(await outcome(asked)).toBe('unavailable payments-not-configured');
});
