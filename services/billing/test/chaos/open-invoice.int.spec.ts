import { SubscriptionStatus as Status } from '@pulso/contracts/billing/v1/billing';
import { until } from '@pulso/platform/testing/until';
import { SimulatedPayments } from './simulated-payments.js';

/** Pays the first time, and is declined at each renewal. */
const RENEWS_BADLY = '4000000000000341';
const MONTH_MS = 32 * 24 * 60 * 60_000;

let payments: SimulatedPayments;
beforeAll(async () => (payments = await SimulatedPayments.start()));
afterAll(() => payments?.stop());

// Rule: SUBS-36
it('what is not paid of a subscription that ends can be paid no more, although the provider fails between', async () => {
  const { billing, simulator } = payments;
  const { stripe } = simulator;
  const coach = await payments.seller();
  const ana = await payments.payer(coach, RENEWS_BADLY);
  await simulator.control('clock', { ms: MONTH_MS });
  await payments.atRest();
  expect(await billing.get(ana, coach)).toMatchObject({
    ...{ status: Status.SUBSCRIPTION_STATUS_PAST_DUE, givesAccess: true },
  });
  const { subscriptions } = await payments.bookOf(ana);
  const [open] = (await stripe.invoices.list({ subscription: subscriptions[0]!.id, status: 'open' })).data;

  await simulator.control('faults', { kind: 'status', status: 500, path: '/v1/invoices', method: 'POST' });
  await billing.cancel(ana, coach);
  const isEnded = async () => (await payments.bookOf(ana)).subscriptions[0]!.status === 'canceled';
  await until(isEnded, { what: 'the end at the provider' });
  expect((await billing.get(ana, coach)).givesAccess).toBe(false);
  await payments.atRest();
  expect(await stripe.invoices.retrieve(open!.id!)).toMatchObject({ status: 'void', amount_paid: 0 });
  await expect(stripe.invoices.pay(open!.id!)).rejects.toThrow('This invoice is not open.');
  expect((await payments.bookOf(ana)).charges.filter(({ paid }) => paid)).toHaveLength(1);
  const [call] = await billing.rows<{ state: string; attempts: number }>(
    "SELECT state, attempts FROM foreign_calls WHERE kind = 'cancelNow'",
  );
  expect(call!.state).toBe('done');
  expect(call!.attempts).toBeGreaterThan(1);
});
