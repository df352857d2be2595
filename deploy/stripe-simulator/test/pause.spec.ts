import { aSubscription, start, type Started } from './support/start.js';

const HOUR = 3_600;
const DAY = 86_400;

const endOf = async ({ stripe }: Started, id: string) =>
  (await stripe.subscriptions.retrieve(id)).items.data[0]!.current_period_end;
const statesOf = async ({ stripe }: Started, subscription: string) =>
  (await stripe.invoices.list({ subscription })).data.map(({ status }) => status);
function turnTo({ simulator: { controls } }: Started, at: number): void {
  controls.advance((at - controls.state().now) * 1000);
}

describe('a pause of collection', () => {
  it.each([
    ['void', 'void', 'invoice.voided'],
    ['mark_uncollectible', 'uncollectible', 'invoice.marked_uncollectible'],
    ['keep_as_draft', 'draft', 'invoice.created'],
  ] as const)(
    'of the kind %s leaves the subscription active, and its invoices %s',
    async (behavior, state, told) => {
      const started = await start();
      const { stripe, receiver } = started;
      const { id } = await aSubscription(started);
      await stripe.subscriptions.update(id, { pause_collection: { behavior } });
      await receiver.seen('customer.subscription.updated');
      turnTo(started, (await endOf(started, id)) + 2 * HOUR);
      expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
        ...{ status: 'active', pause_collection: { behavior, resumes_at: null } },
      });
      expect(await statesOf(started, id)).toEqual([state, 'paid']);
      await receiver.seen(told);
      expect(await stripe.subscriptions.update(id, { pause_collection: '' })).toMatchObject({
        pause_collection: null,
      });
      turnTo(started, (await endOf(started, id)) + 2 * HOUR);
      expect(await statesOf(started, id)).toEqual(['paid', state, 'paid']);
    },
  );

  it('ends at its time, also within a period', async () => {
    const started = await start();
    const { stripe, simulator } = started;
    const { id } = await aSubscription(started);
    const resumes_at = simulator.controls.state().now + 10 * DAY;
    await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at } });
    turnTo(started, resumes_at);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ pause_collection: null });
    turnTo(started, (await endOf(started, id)) + 2 * HOUR);
    expect(await statesOf(started, id)).toEqual(['paid', 'paid']);
  });

  it('leaves an older invoice to be tried again', async () => {
    const started = await start();
    const { stripe, simulator } = started;
    const { id, customer } = await aSubscription(started, '4000000000000341');
    turnTo(started, (await endOf(started, id)) + HOUR);
    simulator.controls.pause(id, 'void');
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
    simulator.controls.changeCard(customer as string, '4242424242424242');
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
    expect(() => simulator.controls.pause('sub_none', null)).toThrow('No such subscription');
  });
});
