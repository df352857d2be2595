import type Stripe from 'stripe';
import { aSubscription, start, type Started } from './support/start.js';

const DAY = 86_400;
const HOUR = 3_600;
const RENEWS_BADLY = '4000000000000341';

const read = ({ stripe }: Started, { id }: { id: string }) =>
  stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.payments'] });
const invoicesOf = async ({ stripe }: Started, { id }: Stripe.Subscription) =>
  (await stripe.invoices.list({ subscription: id })).data;
const endOf = (subscription: Stripe.Subscription) => subscription.items.data[0]!.current_period_end;

/** Turns the clock to so many seconds after this moment. */
function turnTo({ simulator: { controls } }: Started, at: number): void {
  controls.advance((at - controls.state().now) * 1000);
}

describe('a subscription', () => {
  it('renews: first the new period, an hour later the payment', async () => {
    const started = await start();
    const subscription = await aSubscription(started);
    const end = endOf(subscription);
    turnTo(started, end);
    const renewed = await read(started, subscription);
    expect(renewed.status).toBe('active');
    expect(renewed.items.data[0]).toMatchObject({ current_period_start: end });
    expect(renewed.latest_invoice).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle' });
    turnTo(started, end + HOUR);
    expect(await invoicesOf(started, subscription)).toMatchObject([
      { status: 'paid', amount_paid: 40_000 },
      { status: 'paid', amount_paid: 40_000 },
    ]);
    await started.receiver.seen('customer.subscription.updated');
    turnTo(started, end + 100 * DAY);
    expect((await invoicesOf(started, subscription)).map(({ status }) => status)).toEqual(
      Array(5).fill('paid'),
    );
  });

  it('ends with its period when that is wanted, unless it is resumed before', async () => {
    const started = await start();
    const { stripe } = started;
    const subscription = await aSubscription(started);
    const end = endOf(subscription);
    const update = (cancels: boolean) =>
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end: cancels });
    expect(await update(true)).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: end,
    });
    expect(await update(false)).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
    });
    await update(true);
    turnTo(started, end);
    expect(await read(started, subscription)).toMatchObject({ status: 'canceled', ended_at: end });
    expect(await invoicesOf(started, subscription)).toHaveLength(1);
    await started.receiver.seen('customer.subscription.deleted');
    await expect(update(false)).rejects.toMatchObject({ code: 'invalid_canceled_subscription_fields' });
  });

  it('ends at once when it is cancelled, and is billed no more', async () => {
    const started = await start();
    const { stripe } = started;
    const subscription = await aSubscription(started);
    expect(await stripe.subscriptions.cancel(subscription.id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'cancellation_requested' },
    });
    await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({
      code: 'resource_missing',
    });
    turnTo(started, endOf(subscription) + DAY);
    expect(await invoicesOf(started, subscription)).toHaveLength(1);
    const customer = subscription.customer as string;
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
    expect((await stripe.subscriptions.list({ customer, status: 'canceled' })).data).toHaveLength(1);
  });

  it('falls behind when its payment fails, is tried again, and ends after the last attempt', async () => {
    const started = await start();
    const { receiver } = started;
    const subscription = await aSubscription(started, RENEWS_BADLY);
    const due = endOf(subscription) + HOUR;
    turnTo(started, due);
    const behind = await read(started, subscription);
    expect(behind.status).toBe('past_due');
    expect(behind.latest_invoice).toMatchObject({
      status: 'open',
      attempt_count: 1,
      next_payment_attempt: due + 3 * DAY,
      status_transitions: { finalized_at: due },
    });
    await receiver.seen('invoice.payment_failed');
    turnTo(started, due + 8 * DAY);
    expect((await read(started, subscription)).latest_invoice).toMatchObject({ attempt_count: 3 });
    turnTo(started, due + 15 * DAY);
    const ended = await read(started, subscription);
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } });
    expect(ended.latest_invoice).toMatchObject({ status: 'open', next_payment_attempt: null });
    await receiver.seen('customer.subscription.deleted');
  });

  it('that has ended can be paid for until its invoice is voided', async () => {
    const started = await start();
    const { stripe, receiver } = started;
    const subscription = await aSubscription(started, RENEWS_BADLY);
    turnTo(started, endOf(subscription) + HOUR);
    await stripe.subscriptions.cancel(subscription.id);
    const [open, paid] = await invoicesOf(started, subscription);
    expect([open!.status, paid!.status]).toEqual(['open', 'paid']);
    expect(await stripe.invoices.voidInvoice(open!.id)).toMatchObject({
      ...{ status: 'void', auto_advance: false, amount_paid: 0 },
    });
    await receiver.seen('invoice.voided');
    await expect(stripe.invoices.pay(open!.id)).rejects.toThrow('This invoice is not open.');
    for (const { id } of [open!, paid!])
      await expect(stripe.invoices.voidInvoice(id)).rejects.toMatchObject({
        ...{ statusCode: 400, code: 'status_transition_invalid' },
      });
    const { data } = await stripe.invoicePayments.list({ invoice: open!.id });
    expect(data).toMatchObject([{ status: 'canceled' }]);
  });

  it('is active again when what it lacks is voided', async () => {
    const started = await start();
    const subscription = await aSubscription(started, RENEWS_BADLY);
    turnTo(started, endOf(subscription) + HOUR);
    const [open] = await invoicesOf(started, subscription);
    await started.stripe.invoices.voidInvoice(open!.id);
    expect((await read(started, subscription)).status).toBe('active');
    turnTo(started, endOf(subscription) + 10 * DAY);
    expect((await invoicesOf(started, subscription)).map(({ status }) => status)).toEqual(['void', 'paid']);
  });

  it('is active again when the owner gives another card', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    const subscription = await aSubscription(started, RENEWS_BADLY);
    turnTo(started, endOf(subscription) + HOUR);
    simulator.controls.changeCard(subscription.customer as string, '4242424242424242');
    const mended = await read(started, subscription);
    expect(mended.status).toBe('active');
    expect(mended.latest_invoice).toMatchObject({ status: 'paid', attempt_count: 2 });
    const method = await stripe.paymentMethods.retrieve(mended.default_payment_method as string);
    expect(method.card!.last4).toBe('4242');
    expect(() => simulator.controls.changeCard(subscription.customer as string, '4000000000000002')).toThrow(
      'Your card was declined.',
    );
  });

  it('of a card that asks for 3-D Secure each time falls behind at its renewal', async () => {
    const started = await start();
    const subscription = await aSubscription(started, '4000002760003184');
    turnTo(started, endOf(subscription) + HOUR);
    expect((await read(started, subscription)).status).toBe('past_due');
    const { data } = await started.stripe.charges.list({ customer: subscription.customer as string });
    expect(data[0]).toMatchObject({ paid: false, failure_code: 'authentication_required' });
  });
});

describe('a refund', () => {
  const paidBy = async (started: Started) => {
    const subscription = await read(started, await aSubscription(started));
    const invoice = subscription.latest_invoice as Stripe.Invoice;
    const id = invoice.payments!.data[0]!.payment.payment_intent as string;
    return started.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  };

  it('takes its part back from the coach and of the fee', async () => {
    const started = await start();
    const { stripe, receiver } = started;
    const { id, latest_charge: charge } = await paidBy(started);
    const { transfer, application_fee: fee } = charge as Stripe.Charge;
    const refund = (amount?: number) =>
      stripe.refunds.create({
        payment_intent: id,
        amount,
        reason: 'requested_by_customer',
        reverse_transfer: true,
        refund_application_fee: true,
        metadata: { why: 'blocked' },
      });
    expect(await refund(10_001)).toMatchObject({
      status: 'succeeded',
      amount: 10_001,
      metadata: { why: 'blocked' },
    });
    expect(await stripe.transfers.retrieve(transfer as string)).toMatchObject({ amount_reversed: 10_001 });
    expect(await stripe.applicationFees.retrieve(fee as string)).toMatchObject({ amount_refunded: 1_000 });
    await expect(refund(30_000)).rejects.toThrow('is greater than unrefunded amount');
    await refund();
    expect(await stripe.charges.retrieve((charge as Stripe.Charge).id)).toMatchObject({
      amount_refunded: 40_000,
      refunded: true,
    });
    expect(await stripe.transfers.retrieve(transfer as string)).toMatchObject({ reversed: true });
    expect(await stripe.applicationFees.retrieve(fee as string)).toMatchObject({ amount_refunded: 4_000 });
    await expect(refund()).rejects.toMatchObject({ code: 'charge_already_refunded' });
    const list = await stripe.refunds.list({ payment_intent: id });
    expect(list.data.map(({ amount }) => amount)).toEqual([29_999, 10_001]);
    await receiver.seen('charge.refunded');
  });

  it('is refused where nothing was paid, and leaves nothing', async () => {
    const started = await start();
    const { stripe } = started;
    const { id } = await paidBy(started);
    await expect(stripe.refunds.create({ payment_intent: id, amount: 0 })).rejects.toMatchObject({
      param: 'amount',
    });
    await expect(stripe.refunds.create({ payment_intent: 'pi_none' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
    await expect(stripe.refunds.create({})).rejects.toThrow('One of the following params');
    expect((await stripe.refunds.list()).data).toEqual([]);
  });
});
