import type Stripe from 'stripe';
import { aSubscription, start, type Started } from './support/start.js';

const control = (started: Started, path: string, body: object = {}) =>
  fetch(`${started.simulator.url}/_control/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const chargeOf = ({ stripe }: Started, { charge }: { charge: string | Stripe.Charge }) =>
  stripe.charges.retrieve(charge as string);

describe('a dispute', () => {
  it('takes the money of the latest payment with a fee, and gives it back where it is won', async () => {
    const started = await start();
    const { simulator, stripe, receiver } = started;
    const subscription = await aSubscription(started);
    const { id } = simulator.controls.dispute(subscription.id);
    const opened = await stripe.disputes.retrieve(id, { expand: ['charge'] });
    expect(opened).toMatchObject({
      ...{ status: 'needs_response', amount: 40_000, currency: 'mxn', is_charge_refundable: false },
      charge: { customer: subscription.customer, disputed: true },
      balance_transactions: [{ amount: -40_000, fee: 1_500, net: -41_500, type: 'adjustment' }],
    });
    const charge = (opened.charge as Stripe.Charge).id;
    expect((await stripe.disputes.list({ charge })).data.map((one) => one.id)).toEqual([id]);
    expect((await stripe.disputes.list({ payment_intent: 'pi_other' })).data).toEqual([]);
    await receiver.seen('charge.dispute.created');
    await receiver.seen('charge.dispute.funds_withdrawn');
    await expect(stripe.refunds.create({ charge })).rejects.toMatchObject({ code: 'charge_disputed' });
    expect(() => simulator.controls.dispute(subscription.id)).toThrow('is disputed already');
    simulator.controls.moveDispute(id, 'answer');
    expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'under_review' });
    simulator.controls.moveDispute(id, 'win');
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      status: 'won',
      balance_transactions: [{ amount: -40_000 }, { amount: 40_000, fee: 0 }],
    });
    await receiver.seen('charge.dispute.closed');
    await receiver.seen('charge.dispute.funds_reinstated');
    expect(() => simulator.controls.moveDispute(id, 'lose')).toThrow('already closed');
  });

  it('leads from its payment to its subscription, and is lost where the platform gives up', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    const subscription = await aSubscription(started);
    const { id, payment_intent: intent } = simulator.controls.dispute(subscription.id);
    const { data } = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intent },
      expand: ['data.invoice'],
    });
    const invoice = data[0]!.invoice as Stripe.Invoice;
    expect(invoice.parent!.subscription_details!.subscription).toBe(subscription.id);
    expect(await stripe.disputes.close(id)).toMatchObject({ status: 'lost' });
  });

  it('that is an inquiry takes nothing until the bank makes it a dispute, and is closed otherwise', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    const [asked, disputed] = [await aSubscription(started), await aSubscription(started)];
    const inquiry = simulator.controls.dispute(asked.id, true);
    expect(inquiry).toMatchObject({ status: 'warning_needs_response', balance_transactions: [] });
    simulator.controls.moveDispute(inquiry.id, 'lose');
    expect(await stripe.disputes.retrieve(inquiry.id)).toMatchObject({
      ...{ status: 'warning_closed', balance_transactions: [] },
    });
    await stripe.refunds.create({ charge: (await chargeOf(started, inquiry)).id, amount: 1 });
    const { id } = simulator.controls.dispute(disputed.id, true);
    simulator.controls.moveDispute(id, 'escalate');
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      ...{ status: 'needs_response', balance_transactions: [{ amount: -40_000 }] },
    });
  });

  it('is opened and decided by the controls over HTTP and on their page', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    const { id } = await aSubscription(started);
    const opened = await control(started, `/subscriptions/${id}/dispute`);
    const dispute = (await opened.json()) as { id: string; status: string };
    expect(dispute.status).toBe('needs_response');
    expect(await (await fetch(`${simulator.url}/_control`)).text()).toContain(dispute.id);
    expect((await control(started, `/disputes/${dispute.id}/sue`)).status).toBe(400);
    expect((await control(started, '/disputes/dp_none/win')).status).toBe(404);
    expect((await control(started, '/subscriptions/sub_none/dispute')).status).toBe(404);
    const form = (fields: Record<string, string>) =>
      fetch(`${simulator.url}/_control`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    expect((await form({ act: 'move', dispute: dispute.id, to: 'lose' })).status).toBe(303);
    expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: 'lost' });
    expect((await control(started, `/disputes/${dispute.id}/win`)).status).toBe(400);
    expect(await (await form({ act: 'move', dispute: dispute.id, to: 'sue' })).text()).toContain(
      'no such control',
    );
  });
});

describe('a transfer', () => {
  it('is taken back in parts, never more than is left, and listed; one that is made hands money on', async () => {
    const started = await start();
    const { stripe, receiver } = started;
    await aSubscription(started);
    const [transfer] = (await stripe.transfers.list()).data;
    const marks = { metadata: { pulso_dispute: 'dp_1' } };
    const reversal = await stripe.transfers.createReversal(transfer!.id, { amount: 36_000, ...marks });
    expect(reversal).toMatchObject({ object: 'transfer_reversal', amount: 36_000, ...marks });
    await expect(stripe.transfers.createReversal(transfer!.id, { amount: 4_001 })).rejects.toMatchObject({
      param: 'amount',
    });
    expect((await stripe.transfers.listReversals(transfer!.id)).data.map(({ id }) => id)).toEqual([
      reversal.id,
    ]);
    expect(await stripe.transfers.retrieve(transfer!.id)).toMatchObject({ amount_reversed: 36_000 });
    await receiver.seen('transfer.reversed');
    const destination = transfer!.destination as string;
    const made = await stripe.transfers.create({ amount: 36_000, currency: 'mxn', destination, ...marks });
    expect(made).toMatchObject({ source_transaction: null, amount: 36_000, ...marks });
    expect((await stripe.transfers.list({ destination })).data.map(({ id }) => id)).toEqual([
      made.id,
      transfer!.id,
    ]);
    await expect(
      stripe.transfers.create({ amount: 1, currency: 'mxn', destination: 'acct_none' }),
    ).rejects.toMatchObject({ param: 'destination' });
  });
});
