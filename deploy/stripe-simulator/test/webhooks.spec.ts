import Stripe from 'stripe';
import { until } from '@pulso/platform/testing/until';
import { WEBHOOK_SECRET } from './support/receiver.js';
import { start, type Started } from './support/start.js';

const customers = async ({ stripe }: Started, count: number) => {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) ids.push((await stripe.customers.create({})).id);
  return ids;
};
const objectsOf = ({ receiver }: Started) =>
  receiver.events.map(({ data }) => (data.object as { id: string }).id);
const allTaken = ({ simulator }: Started) =>
  until(() => simulator.controls.state().undelivered === 0, { what: 'all events at the webhook' });

describe('webhooks', () => {
  it('come in the order of their events, and can be read as events', async () => {
    const started = await start();
    const ids = await customers(started, 3);
    await allTaken(started);
    expect(objectsOf(started)).toEqual(ids);
    const [event] = started.receiver.events;
    expect(event).toMatchObject({
      object: 'event',
      type: 'customer.created',
      api_version: '2026-10-28.endive',
    });
    expect(event!.request!.id).toMatch(/^req_/);
    expect(await started.stripe.events.retrieve(event!.id)).toMatchObject({
      id: event!.id,
      pending_webhooks: 0,
    });
    const { data } = await started.stripe.events.list({ type: 'customer.*', limit: 2 });
    expect(data).toHaveLength(2);
  });

  it('are sent again until they are taken', async () => {
    const started = await start();
    started.receiver.refusals.push(500, 503);
    const ids = await customers(started, 2);
    await allTaken(started);
    expect(objectsOf(started).toSorted()).toEqual(ids.toSorted());
  });

  it('have two signatures while a secret is rotated', async () => {
    const started = await start({ webhookSecret: ['whsec_new', WEBHOOK_SECRET] });
    await customers(started, 1);
    await started.receiver.seen('customer.created');
    expect(started.receiver.signatures[0]).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  });

  it('can come twice, of the wanted type', async () => {
    const started = await start();
    started.simulator.controls.addWebhookRule({ kind: 'duplicate', type: 'customer.*' });
    const [first, second] = await customers(started, 2);
    await allTaken(started);
    expect(objectsOf(started)).toEqual([first, first, second]);
  });

  it('can be lost, and sent later', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    simulator.controls.addWebhookRule({ kind: 'drop' });
    const [first, second] = await customers(started, 2);
    await allTaken(started);
    expect(objectsOf(started)).toEqual([second]);
    const { data } = await stripe.events.list();
    simulator.controls.resend(data[1]!.id);
    await allTaken(started);
    expect(objectsOf(started)).toEqual([second, first]);
    expect(() => simulator.controls.resend('evt_none')).toThrow("No such event: 'evt_none'");
  });

  it('can come late', async () => {
    const started = await start();
    started.simulator.controls.addWebhookRule({ kind: 'delay', ms: 3_600_000 });
    const [first, second] = await customers(started, 2);
    await until(() => started.receiver.events.length === 1, { what: 'the event that is not late' });
    expect(objectsOf(started)).toEqual([second]);
    started.simulator.controls.clear();
    await allTaken(started);
    expect(objectsOf(started)).toEqual([second, first]);
  });

  it('can come in the other order', async () => {
    const started = await start();
    started.simulator.controls.addWebhookRule({ kind: 'reorder', count: 3, ms: 3_600_000 });
    const [first, second, third, fourth] = await customers(started, 4);
    await until(() => started.receiver.events.length === 1, { what: 'the event behind the others' });
    started.simulator.controls.clear();
    await allTaken(started);
    expect(objectsOf(started)).toEqual([fourth, third, second, first]);
  });

  it('of another secret are refused by their reader', async () => {
    const started = await start();
    await customers(started, 1);
    const event = await started.receiver.seen('customer.created');
    const [signature] = started.receiver.signatures;
    expect(() =>
      Stripe.webhooks.constructEvent(JSON.stringify(event, null, 2), signature!, 'whsec_other'),
    ).toThrow(Stripe.errors.StripeSignatureVerificationError);
  });
});
