import Stripe from 'stripe';
import { aPrice, clientOf, PAIR, SECRET_KEY, start } from './support/start.js';

/** A request by hand, where Stripe's package would not send such a one. */
async function ask(
  url: string,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    body,
  });
  const { error, ...rest } = (await answer.json()) as { error?: Record<string, string> };
  return { status: answer.status, headers: answer.headers, error, rest };
}

describe('the API', () => {
  it('wants its key', async () => {
    const { simulator } = await start();
    await expect(clientOf(simulator.url, 'sk_test_other').customers.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
    });
    expect(await ask(simulator.url, 'GET', '/v1/customers', undefined, { authorization: '' })).toMatchObject({
      status: 401,
      error: { type: 'invalid_request_error' },
    });
  });

  it('names its request in answers and errors', async () => {
    const { stripe } = await start();
    const customer = await stripe.customers.create({});
    expect(customer.lastResponse.requestId).toMatch(/^req_/);
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
      message: "No such customer: 'cus_none'",
      requestId: expect.stringMatching(/^req_/),
    });
  });

  it('refuses what it does not know: a path, a parameter at any depth, a version, an account', async () => {
    const { simulator } = await start();
    const { url } = simulator;
    expect(await ask(url, 'GET', '/v1/nothing')).toMatchObject({
      status: 404,
      error: { message: expect.stringContaining('Unrecognized request URL (GET: /v1/nothing)') },
    });
    expect(await ask(url, 'POST', '/v1/customers', 'nick=a')).toMatchObject({
      status: 400,
      error: { code: 'parameter_unknown', param: 'nick', message: 'Received unknown parameter: nick' },
    });
    expect(
      await ask(
        url,
        'POST',
        '/v1/prices',
        'currency=mxn&unit_amount=1000&recurring[interval]=month&recurring[often]=1',
      ),
    ).toMatchObject({ error: { code: 'parameter_unknown', param: 'recurring[often]' } });
    expect(
      await ask(url, 'GET', '/v1/customers', undefined, { 'stripe-version': '2020-08-27' }),
    ).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining('Invalid Stripe API version') },
    });
    expect(
      await ask(url, 'GET', '/v1/customers', undefined, { 'stripe-account': 'acct_none' }),
    ).toMatchObject({ status: 403, error: { code: 'account_invalid' } });
  });

  it.each([
    ['recurring[interval]=month&unit_amount=1000', 'parameter_missing', 'currency'],
    ['currency=mxn&unit_amount=ten&recurring[interval]=month', 'parameter_invalid_integer', 'unit_amount'],
    [
      'currency=mxn&unit_amount=1000&recurring[interval]=month&nickname=',
      'parameter_invalid_empty',
      'nickname',
    ],
    ['currency=mxn&unit_amount=1000&recurring[interval]=moon', undefined, 'recurring[interval]'],
    ['currency=mxn&currency=usd', undefined, 'currency'],
    ['currency[]=mxn&currency[a]=usd', undefined, 'currency'],
    ['[a]=1', undefined, '[a]'],
  ])('refuses %s', async (body, code, param) => {
    const { simulator } = await start();
    const answer = await ask(simulator.url, 'POST', '/v1/prices', body);
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({ type: 'invalid_request_error', param, ...(code && { code }) });
  });

  it('keeps metadata, and takes single names and all of them away', async () => {
    const { stripe } = await start();
    const { id } = await stripe.customers.create({ metadata: PAIR, name: 'Ña & Co [1]' });
    expect(await stripe.customers.update(id, { metadata: { pulso_coach: '', more: 'x' } })).toMatchObject({
      name: 'Ña & Co [1]',
      metadata: { pulso_user: 'user-1', pulso_installation: 'pulso', more: 'x' },
    });
    expect((await stripe.customers.update(id, { metadata: '' })).metadata).toEqual({});
  });

  it('gives lists by pages, the newest first, and by time', async () => {
    const { stripe, simulator } = await start();
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) ids.unshift((await stripe.customers.create({})).id);
    const first = await stripe.customers.list({ limit: 2 });
    expect(first).toMatchObject({ object: 'list', url: '/v1/customers', has_more: true });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const last = await stripe.customers.list({ limit: 3, starting_after: ids[1] });
    expect(last).toMatchObject({ has_more: false });
    expect(last.data.map(({ id }) => id)).toEqual(ids.slice(2));
    const back = await stripe.customers.list({ limit: 2, ending_before: ids[3] });
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect(back.has_more).toBe(true);
    const seen: string[] = [];
    for await (const { id } of stripe.customers.list({ limit: 2 })) seen.push(id);
    expect(seen).toEqual(ids);

    simulator.controls.advance(3_600_000);
    const later = await stripe.customers.create({});
    const found = await stripe.customers.list({ created: { gte: later.created } });
    expect(found.data.map(({ id }) => id)).toEqual([later.id]);
    await expect(stripe.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
    await expect(stripe.customers.list({ starting_after: 'cus_none' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'starting_after',
    });
  });

  it('expands what is named, and nothing else', async () => {
    const started = await start();
    const { id } = await aPrice(started);
    const price = await started.stripe.prices.retrieve(id, { expand: ['product'] });
    expect(price.product).toMatchObject({ object: 'product', name: 'Coach Carla' });
    const { data } = await started.stripe.prices.list({ expand: ['data.product'] });
    expect(data[0]!.product).toMatchObject({ name: 'Coach Carla' });
    await expect(started.stripe.prices.retrieve(id, { expand: ['owner'] })).rejects.toThrow(
      'This property cannot be expanded (owner).',
    );
    await expect(started.stripe.prices.retrieve(id, { expand: ['a.b.c.d.e'] })).rejects.toThrow(
      'cannot expand more than 4 levels',
    );
  });

  it('keeps a lookup key for one price', async () => {
    const { stripe } = await start();
    const price = (amount: number, more: object = {}) =>
      stripe.prices.create({
        currency: 'usd',
        unit_amount: amount,
        recurring: { interval: 'month' },
        product_data: { name: 'Carla' },
        lookup_key: 'carla',
        ...more,
      });
    const first = await price(500);
    await expect(price(600)).rejects.toThrow('already uses that lookup key');
    const second = await price(600, { transfer_lookup_key: true });
    expect((await stripe.prices.list({ lookup_keys: ['carla'] })).data.map(({ id }) => id)).toEqual([
      second.id,
    ]);
    expect((await stripe.prices.retrieve(first.id)).lookup_key).toBeNull();
  });

  it('knows a deleted customer as deleted', async () => {
    const { stripe } = await start();
    const { id } = await stripe.customers.create({});
    expect(await stripe.customers.del(id)).toMatchObject({ id, deleted: true });
    expect(await stripe.customers.retrieve(id)).toEqual(expect.objectContaining({ id, deleted: true }));
    await expect(stripe.billingPortal.sessions.create({ customer: id })).rejects.toThrow('No such customer');
    expect((await stripe.customers.list()).data).toEqual([]);
  });
});

describe('an idempotency key', () => {
  it('acts once and gives the same answer again', async () => {
    const { stripe } = await start();
    const options = { idempotencyKey: 'key-1' };
    const first = await stripe.customers.create({ name: 'Ana' }, options);
    const again = await stripe.customers.create({ name: 'Ana' }, options);
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect((await stripe.customers.list()).data).toHaveLength(1);
  });

  it('is refused with other parameters and for another path', async () => {
    const { stripe } = await start();
    const options = { idempotencyKey: 'key-1' };
    await stripe.customers.create({ name: 'Ana' }, options);
    await expect(stripe.customers.create({ name: 'Eva' }, options)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    });
    await expect(stripe.accounts.create({ type: 'express' }, options)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    });
  });

  it('gives a refusal again, but not one of wrong parameters', async () => {
    const { stripe, simulator } = await start();
    const options = { idempotencyKey: 'key-1' };
    const refused = await stripe.refunds
      .create({ charge: 'ch_none' }, options)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    await expect(stripe.refunds.create({ charge: 'ch_none' }, options)).rejects.toMatchObject({
      headers: { 'idempotent-replayed': 'true' },
    });
    const other = { 'idempotency-key': 'key-2' };
    expect((await ask(simulator.url, 'POST', '/v1/customers', 'nick=a', other)).status).toBe(400);
    expect((await ask(simulator.url, 'POST', '/v1/customers', 'name=a', other)).status).toBe(200);
  });

  it('is of its account, and forgotten after a day', async () => {
    const { stripe, simulator } = await start();
    const account = await stripe.accounts.create({ type: 'express' });
    const options = { idempotencyKey: 'key-1' };
    const first = await stripe.customers.create({}, options);
    const other = await stripe.customers.create({}, { ...options, stripeAccount: account.id });
    simulator.controls.advance(86_400_000);
    const later = await stripe.customers.create({}, options);
    expect(new Set([first.id, other.id, later.id]).size).toBe(3);
  });
});
