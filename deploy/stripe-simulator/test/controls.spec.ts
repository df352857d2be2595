import { until } from '@pulso/platform/testing/until';
import { aCheckout, aReadyAccount, aSubscription, SECRET_KEY, start, type Started } from './support/start.js';

const key = { idempotencyKey: 'key-1' };
const count = async ({ stripe }: Started) => (await stripe.customers.list({ limit: 100 })).data.length;

async function control({ simulator }: Started, path: string, body: object = {}) {
  const answer = await fetch(`${simulator.url}/_control/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe('a request that fails', () => {
  it('with 500 has no effect, and fails again under its key', async () => {
    const started = await start();
    started.simulator.controls.addFault({ kind: 'status', count: 1 });
    const create = () => started.stripe.customers.create({}, key);
    await expect(create()).rejects.toMatchObject({ type: 'StripeAPIError', statusCode: 500 });
    await expect(create()).rejects.toMatchObject({
      statusCode: 500,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(await count(started)).toBe(0);
    expect(started.simulator.controls.state().faults).toEqual([]);
  });

  it('with 500 behind its effect has it', async () => {
    const started = await start();
    started.simulator.controls.addFault({ kind: 'status', status: 503, after: true });
    await expect(started.stripe.customers.create({})).rejects.toMatchObject({ statusCode: 503 });
    expect(await count(started)).toBe(1);
  });

  it('with 429 or 409 is carried out when it is repeated', async () => {
    const started = await start();
    started.simulator.controls.addFault({ kind: 'status', status: 429 });
    const create = () => started.stripe.customers.create({}, key);
    await expect(create()).rejects.toMatchObject({ type: 'StripeRateLimitError' });
    started.simulator.controls.addFault({ kind: 'status', status: 409 });
    await expect(create()).rejects.toMatchObject({ code: 'lock_timeout' });
    await create();
    expect(await count(started)).toBe(1);
  });

  it('of a key that was used otherwise is an idempotency_error', async () => {
    const started = await start();
    started.simulator.controls.addFault({ kind: 'status', status: 400, type: 'idempotency_error' });
    const create = () => started.stripe.customers.create({}, key);
    await expect(create()).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
    await create();
    expect(await count(started)).toBe(1);
  });

  it('is one of the wanted path and method, so many times', async () => {
    const started = await start();
    const { stripe } = started;
    started.simulator.controls.addFault({ kind: 'status', count: 2, method: 'POST', path: '/v1/customers' });
    await stripe.prices.list();
    await stripe.customers.list();
    await expect(stripe.customers.create({})).rejects.toMatchObject({ statusCode: 500 });
    await expect(stripe.customers.create({})).rejects.toMatchObject({ statusCode: 500 });
    await stripe.customers.create({});
  });

  it('by a broken connection has its effect once', async () => {
    const started = await start();
    const { simulator } = started;
    simulator.controls.addFault({ kind: 'reset' });
    const create = () =>
      fetch(`${simulator.url}/v1/customers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET_KEY}`, 'idempotency-key': 'key-1' },
      });
    await expect(create()).rejects.toThrow('fetch failed');
    expect((await create()).headers.get('idempotent-replayed')).toBe('true');
    expect(await count(started)).toBe(1);
  });

  it('without an answer has its effect; its key is in use until the connection ends', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    simulator.controls.addFault({ kind: 'hang', ms: 3_600_000, method: 'POST' });
    const hung = stripe.customers.create({}, { ...key, timeout: 60_000 }).catch((error: unknown) => error);
    await until(async () => (await count(started)) === 1, { what: 'the effect of the request' });
    await expect(stripe.customers.create({}, key)).rejects.toMatchObject({
      rawType: 'idempotency_error',
      code: 'idempotency_key_in_use',
      statusCode: 409,
    });
    await simulator.close();
    expect(await hung).toMatchObject({ type: 'StripeConnectionError' });
  });

  it('is only late when it is told so', async () => {
    const started = await start();
    started.simulator.controls.addFault({ kind: 'slow', ms: 20 });
    expect(await started.stripe.customers.create({})).toMatchObject({ object: 'customer' });
  });
});

describe('the controls over HTTP', () => {
  it('tell the state and turn the clock', async () => {
    const started = await start();
    const { now } = started.simulator.controls.state();
    const { body } = await control(started, '/clock', { ms: 86_400_000 });
    expect(body).toMatchObject({ aheadMs: 86_400_000, faults: [], webhookRules: [] });
    expect(body.now).toBeGreaterThanOrEqual(now + 86_400);
    const answer = await fetch(`${started.simulator.url}/_control/api/state`);
    expect(await answer.json()).toMatchObject({ aheadMs: 86_400_000 });
  });

  it('make an account ready, pay a checkout and change a card', async () => {
    const started = await start();
    const { stripe } = started;
    const { id } = await stripe.accounts.create({
      type: 'express',
      capabilities: { transfers: { requested: true } },
    });
    expect((await control(started, `/accounts/${id}/onboard`)).body).toMatchObject({ payouts_enabled: true });
    const session = await aCheckout(started, { account: id });
    const pay = (card: string) => control(started, `/checkouts/${session.id}/pay`, { card });
    expect((await pay('4000000000000002')).body).toEqual({
      outcome: 'declined',
      message: 'Your card was declined.',
    });
    expect((await pay('4242424242424242')).body).toEqual({ outcome: 'paid' });
    expect((await pay('4242424242424242')).status).toBe(404);
    const customer = session.customer as string;
    expect((await control(started, `/customers/${customer}/card`, { card: '4000000000000341' })).status).toBe(
      200,
    );
    expect((await control(started, `/customers/${customer}/card`, { card: '4000000000000002' })).status).toBe(
      402,
    );
    expect((await control(started, '/customers/cus_none/card', { card: '4242424242424242' })).status).toBe(
      404,
    );
  });

  it('add rules, take them back, and send an event again', async () => {
    const started = await start();
    expect((await control(started, '/faults', { kind: 'status', status: 503 })).body).toMatchObject({
      count: 1,
    });
    expect((await control(started, '/webhooks', { kind: 'drop', count: 2 })).body).toMatchObject({
      kind: 'drop',
    });
    expect((await control(started, '/clear')).body).toMatchObject({ faults: [], webhookRules: [] });
    await aReadyAccount(started);
    const { id } = await started.receiver.seen('account.updated');
    await control(started, `/events/${id}/resend`);
    await until(() => started.receiver.events.filter((event) => event.id === id).length === 2, {
      what: 'the event once more',
    });
  });

  it('refuse what is no control', async () => {
    const started = await start();
    expect((await control(started, '/faults', { kind: 'flood' })).status).toBe(400);
    expect((await control(started, '/faults', { kind: 'status', often: 2 })).status).toBe(400);
    expect((await control(started, '/clock', { ms: -1 })).status).toBe(400);
    expect((await control(started, '/clock', { ms: 400 * 86_400_000 })).status).toBe(400);
    expect((await control(started, '/accounts/acct_none/onboard')).status).toBe(404);
    const answer = await fetch(`${started.simulator.url}/_control/api/clear`, {
      method: 'POST',
      headers: { origin: 'http://other.example' },
    });
    expect(answer.status).toBe(403);
  });
});

it('a customer with a live subscription is deleted with it', async () => {
  const started = await start();
  const { id, customer } = await aSubscription(started);
  await started.stripe.customers.del(customer as string);
  expect(await started.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
});
