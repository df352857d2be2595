import { aReadyAccount, PAIR, start, type Started } from './support/start.js';

/** A subscription whose charges are the coach's own. */
async function aDirectSubscription(started: Started) {
  const { stripe, simulator } = started;
  const stripeAccount = await aReadyAccount(started);
  const on = { stripeAccount };
  const customer = await stripe.customers.create({ metadata: PAIR }, on);
  const price = await stripe.prices.create(
    {
      ...{ currency: 'mxn', unit_amount: 40_000, recurring: { interval: 'month' } },
      product_data: { name: 'Coach Carla' },
    },
    on,
  );
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: 'http://localhost:8080/coach',
      subscription_data: { metadata: PAIR, application_fee_percent: 10 },
    },
    on,
  );
  simulator.controls.pay(session.id, '4242424242424242');
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id, {}, on);
  return { on, customer, id: subscription as string };
}

describe('with the header Stripe-Account', () => {
  it('an account sees its own objects alone, and the platform none of them', async () => {
    const started = await start();
    const { on, id, customer } = await aDirectSubscription(started);
    const { stripe } = started;
    const other = { stripeAccount: await aReadyAccount(started) };
    expect((await stripe.subscriptions.list({}, on)).data.map((one) => one.id)).toEqual([id]);
    for (const options of [undefined, other]) {
      expect((await stripe.subscriptions.list({}, options)).data).toEqual([]);
      expect((await stripe.customers.list({}, options)).data).toEqual([]);
      await expect(stripe.subscriptions.retrieve(id, {}, options)).rejects.toMatchObject({ statusCode: 404 });
      await expect(stripe.customers.retrieve(customer.id, {}, options)).rejects.toMatchObject({
        statusCode: 404,
      });
    }
  });

  it('renewals, refunds and disputes are the account’s, and their events name it', async () => {
    const started = await start();
    const { on, id } = await aDirectSubscription(started);
    const { stripe, simulator, receiver } = started;
    simulator.controls.advance(32 * 24 * 60 * 60_000);
    expect((await stripe.invoices.list({ subscription: id, status: 'paid' }, on)).data).toHaveLength(2);
    const { latest_invoice: latest } = await stripe.subscriptions.retrieve(
      id,
      { expand: ['latest_invoice.payments'] },
      on,
    );
    const payment = (latest as { payments?: { data: { payment: { payment_intent?: unknown } }[] } })
      .payments!;
    const intent = payment.data[0]!.payment.payment_intent as string;
    const refund = await stripe.refunds.create(
      { payment_intent: intent, amount: 1_000, refund_application_fee: true },
      on,
    );
    expect(refund).toMatchObject({ amount: 1_000, status: 'succeeded' });
    const dispute = simulator.controls.dispute(id);
    expect(await stripe.disputes.retrieve(dispute.id, {}, on)).toMatchObject({ status: 'needs_response' });
    const account = on.stripeAccount;
    for (const type of ['invoice.paid', 'charge.refunded', 'charge.dispute.created'])
      expect(await receiver.seen(type)).toMatchObject({ account });
  });

  it('the portal needs a configuration that was made on the account', async () => {
    const started = await start();
    const { on, customer } = await aDirectSubscription(started);
    const { stripe } = started;
    const open = (configuration?: string) =>
      stripe.billingPortal.sessions.create(
        {
          customer: customer.id,
          return_url: 'http://localhost:8080/',
          ...(configuration && { configuration }),
        },
        on,
      );
    await expect(open()).rejects.toThrow('No configuration provided');
    const made = await stripe.billingPortal.configurations.create(
      {
        features: {
          invoice_history: { enabled: true },
          payment_method_update: { enabled: true },
          subscription_cancel: { enabled: true, mode: 'at_period_end' },
        },
        metadata: { pulso_installation: 'pulso' },
      },
      on,
    );
    const { data } = await stripe.billingPortal.configurations.list({ active: true }, on);
    expect(data.map(({ id, metadata }) => [id, metadata])).toEqual([
      [made.id, { pulso_installation: 'pulso' }],
    ]);
    const { url } = await open(made.id);
    expect(await (await fetch(url)).text()).toContain('Billing portal');
    await expect(
      stripe.billingPortal.sessions.create({ customer: customer.id, configuration: made.id }),
    ).rejects.toMatchObject({ statusCode: 400 });
  });
});
