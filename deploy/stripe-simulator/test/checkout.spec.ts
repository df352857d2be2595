import type Stripe from 'stripe';
import { aCheckout, aPrice, aReadyAccount, PAIR, start } from './support/start.js';

const DAY = 86_400;

describe('a checkout', () => {
  it('is paid, and gives a subscription with a paid invoice, a charge, a transfer and a fee', async () => {
    const started = await start();
    const { simulator, stripe, receiver } = started;
    const account = await aReadyAccount(started);
    const session = await aCheckout(started, { account });
    expect(session).toMatchObject({ status: 'open', amount_total: 40_000, currency: 'mxn', metadata: PAIR });

    simulator.controls.pay(session.id, '4242 4242 4242 4242');

    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    const subscription = paid.subscription as Stripe.Subscription;
    expect(subscription).toMatchObject({ status: 'active', metadata: PAIR, cancel_at_period_end: false });
    const item = subscription.items.data[0]!;
    expect(item.current_period_end - item.current_period_start).toBeGreaterThanOrEqual(28 * DAY);

    const list = await stripe.subscriptions.list({
      customer: session.customer as string,
      status: 'all',
      expand: ['data.latest_invoice.payments'],
    });
    const invoice = list.data[0]!.latest_invoice as Stripe.Invoice;
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 40_000,
      billing_reason: 'subscription_create',
    });
    const payment = invoice.payments!.data[0]!;
    expect(payment).toMatchObject({ status: 'paid', amount_paid: 40_000 });
    const intent = await stripe.paymentIntents.retrieve(payment.payment.payment_intent as string, {
      expand: ['latest_charge'],
    });
    const charge = intent.latest_charge as Stripe.Charge;
    expect(charge).toMatchObject({ amount: 40_000, paid: true, application_fee_amount: 4_000 });
    expect(await stripe.transfers.retrieve(charge.transfer as string)).toMatchObject({
      amount: 40_000,
      destination: account,
    });
    const completed = await receiver.seen('checkout.session.completed');
    expect(completed).toMatchObject({ livemode: false, data: { object: { id: session.id } } });
    expect(receiver.types).toEqual(
      expect.arrayContaining([
        'customer.subscription.created',
        'invoice.paid',
        'charge.succeeded',
        'payment_intent.succeeded',
      ]),
    );
  });

  it('of a declined card stays open and gives nothing', async () => {
    const started = await start();
    const session = await aCheckout(started);
    expect(started.simulator.controls.pay(session.id, '4000000000000002')).toEqual({
      outcome: 'declined',
      message: 'Your card was declined.',
    });
    expect(await started.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'open',
      subscription: null,
    });
    expect((await started.stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
    expect(started.simulator.controls.pay(session.id, '4242424242424242')).toMatchObject({ outcome: 'paid' });
    expect((await started.stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(1);
  });

  it('expires when it is told to, and by itself', async () => {
    const started = await start();
    const { simulator, stripe, receiver } = started;
    const [first, second] = [await aCheckout(started), await aCheckout(started)];
    expect(await stripe.checkout.sessions.expire(first.id)).toMatchObject({ status: 'expired', url: null });
    await expect(stripe.checkout.sessions.expire(first.id)).rejects.toMatchObject({ statusCode: 400 });
    simulator.controls.advance(DAY * 1000);
    expect(await stripe.checkout.sessions.retrieve(second.id)).toMatchObject({ status: 'expired' });
    await receiver.seen('checkout.session.expired');
    expect(() => simulator.controls.pay(second.id, '4242424242424242')).toThrow('No such open checkout');
  });

  it('can be opened by a client whose clock was left behind, and expires by that', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    const customer = (await stripe.customers.create()).id;
    const price = (await aPrice(started)).id;
    const end = simulator.controls.state().now + 3_600;
    simulator.controls.advance(40 * DAY * 1000);
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price }],
      success_url: 'http://localhost:8080/',
      expires_at: end,
    });
    const read = () => stripe.checkout.sessions.retrieve(session.id);
    simulator.controls.advance(1_800_000);
    expect(await read()).toMatchObject({ status: 'open', expires_at: end });
    simulator.controls.advance(1_800_000);
    expect(await read()).toMatchObject({ status: 'expired' });
  });

  it('is refused for an account that cannot be paid', async () => {
    const started = await start();
    const account = await started.stripe.accounts.create({
      type: 'express',
      capabilities: { transfers: { requested: true } },
    });
    await expect(aCheckout(started, { account: account.id })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'insufficient_capabilities_for_transfer',
    });
  });

  it('is refused in another currency while a subscription of the customer lives', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    const session = await aCheckout(started);
    const customer = session.customer as string;
    const dollars = (await aPrice(started, 'usd', 2_000)).id;
    const other = await aCheckout(started, { customer, price: dollars });
    simulator.controls.pay(session.id, '4242424242424242');
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ currency: 'mxn' });

    const words = 'You cannot combine currencies on a single customer';
    await expect(aCheckout(started, { customer, price: dollars })).rejects.toThrow(words);
    expect(() => simulator.controls.pay(other.id, '4242424242424242')).toThrow(words);

    const { data } = await stripe.subscriptions.list({ customer });
    await stripe.subscriptions.cancel(data[0]!.id);
    expect(simulator.controls.pay(other.id, '4242424242424242')).toMatchObject({ outcome: 'paid' });
  });

  it('is refused for a price below the minimum, an inactive price and a bad end', async () => {
    const started = await start();
    const { stripe } = started;
    const cheap = await aPrice(started, 'mxn', 999);
    await expect(aCheckout(started, { price: cheap.id })).rejects.toMatchObject({ code: 'amount_too_small' });
    const price = await aPrice(started);
    await stripe.prices.update(price.id, { active: false });
    await expect(aCheckout(started, { price: price.id })).rejects.toThrow('inactive');
    await expect(
      stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: (await stripe.customers.create()).id,
        line_items: [{ price: (await aPrice(started)).id }],
        success_url: 'http://localhost:8080/',
        expires_at: started.simulator.controls.state().now + 60,
      }),
    ).rejects.toMatchObject({ param: 'expires_at' });
  });

  it('of direct charges belongs to the connected account', async () => {
    const started = await start();
    const { simulator, stripe, receiver } = started;
    const stripeAccount = await aReadyAccount(started);
    const customer = await stripe.customers.create({}, { stripeAccount });
    const price = await stripe.prices.create(
      {
        currency: 'mxn',
        unit_amount: 40_000,
        recurring: { interval: 'month' },
        product_data: { name: 'Carla' },
      },
      { stripeAccount },
    );
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer: customer.id,
        line_items: [{ price: price.id, quantity: 1 }],
        success_url: 'http://localhost:8080/',
        subscription_data: { application_fee_percent: 12.5 },
      },
      { stripeAccount },
    );
    simulator.controls.pay(session.id, '4242424242424242');
    await expect(stripe.checkout.sessions.retrieve(session.id)).rejects.toMatchObject({
      code: 'resource_missing',
    });
    expect(await stripe.checkout.sessions.retrieve(session.id, {}, { stripeAccount })).toMatchObject({
      status: 'complete',
    });
    expect((await stripe.applicationFees.list()).data).toMatchObject([
      { account: stripeAccount, amount: 5_000 },
    ]);
    expect(await receiver.seen('checkout.session.completed')).toMatchObject({ account: stripeAccount });
  });
});
