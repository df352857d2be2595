import type { CallContext, PaymentProvider, Rendered } from '../src/provider/payment-provider.js';
import type { StripeProvider } from '../src/stripe/stripe-provider.js';
import type { StripeSettings } from '../src/settings.js';
import { list, MARKS, NOW, PAIR, providerOn, SECONDS, signal, subscription } from './support/on-stub.js';
import { StripeStub } from './support/stripe-stub.js';

let stub: StripeStub;
beforeAll(async () => (stub = await StripeStub.start()));
beforeEach(() => stub.reset());
afterAll(() => stub?.stop());

const providerWith = (changes: Partial<StripeSettings> = {}) => providerOn(stub, changes);

const context = (until = signal()): CallContext => ({
  key: 'a key',
  apiVersion: '2026-10-28.endive',
  signal: until,
});

type Calls = PaymentProvider['calls'];

/** Renders, stores and makes a call as `ForeignCalls` does. */
async function make<N extends keyof Calls>(
  name: N,
  request: Parameters<Calls[N]['render']>[0],
  on = providerWith(),
) {
  const call = on.calls[name] as {
    render(given: unknown): Rendered;
    make(...given: unknown[]): Promise<unknown>;
  };
  const stored = JSON.parse(JSON.stringify(call.render(request))) as Rendered;
  return call.make(stored, context());
}

async function find<N extends keyof Calls>(name: N, request: Parameters<Calls[N]['render']>[0]) {
  const call = providerWith().calls[name] as {
    render(given: unknown): Rendered;
    find(...given: unknown[]): Promise<unknown>;
  };
  return call.find(JSON.parse(JSON.stringify(call.render(request))), context());
}

// Rule: SUBS-22
describe('a call', () => {
  it('sends its key and the version that it was rendered for, and nothing of the package’s own repetitions', async () => {
    stub.answer('POST /v1/customers', { status: 500, json: { error: { type: 'api_error', message: 'no' } } });
    await expect(make('createCustomer', { userId: 'ana', currency: 'MXN' })).rejects.toThrow('no');
    expect(stub.requests).toHaveLength(1);
    const { headers, form } = stub.requests[0]!;
    expect(headers).toMatchObject({
      authorization: 'Bearer sk_test_1',
      'idempotency-key': 'a key',
      'stripe-version': '2026-10-28.endive',
    });
    expect(form).toEqual({
      'metadata[pulso_installation]': 'pulso',
      'metadata[pulso_user]': 'ana',
      'metadata[pulso_currency]': 'MXN',
    });
  });

  it('tells what is to be thought of a connection that is refused, or breaks', async () => {
    const ask = async (on: StripeProvider) =>
      make('createCustomer', { userId: 'ana', currency: 'MXN' }, on).catch((error: unknown) =>
        on.failureOf(error),
      );
    stub.answer('POST /v1/customers', 'reset');
    expect(await ask(providerWith())).toBe('unknown');
    expect(await ask(providerWith({ apiUrl: 'http://127.0.0.1:1' }))).toBe('not-executed');
    stub.answer('POST /v1/customers', { json: { id: 'cus_1' } });
    expect(await make('createCustomer', { userId: 'ana', currency: 'MXN' })).toEqual({ customerId: 'cus_1' });
  });

  it('ends with its signal while Stripe says nothing', async () => {
    stub.answer('POST /v1/customers', 'silence');
    const provider = providerWith();
    const controller = new AbortController();
    const rendered = provider.calls.createCustomer.render({ userId: 'ana', currency: 'MXN' });
    const made = provider.calls.createCustomer.make(rendered, context(controller.signal));
    controller.abort();
    await expect(made.catch((error: unknown) => provider.failureOf(error))).resolves.toBe('unknown');
  });
});

// Rule: SUBS-7, SUBS-16
describe('what is made', () => {
  it('is a monthly price with a product of its own, under a name that finds it again', async () => {
    stub.answer('POST /v1/prices', { json: { id: 'price_1' } });
    const price = {
      coachId: 'carla',
      coachName: 'Carla Ruiz',
      amountMinor: 40_000,
      currency: 'MXN',
    } as const;
    expect(await make('createPrice', price)).toEqual({ priceId: 'price_1' });
    expect(stub.last('POST /v1/prices')!.form).toEqual({
      unit_amount: '40000',
      currency: 'mxn',
      'recurring[interval]': 'month',
      lookup_key: 'pulso:carla:40000:MXN:month',
      'metadata[pulso_installation]': 'pulso',
      'metadata[pulso_coach]': 'carla',
      'product_data[name]': 'Carla Ruiz',
      'product_data[metadata][pulso_installation]': 'pulso',
      'product_data[metadata][pulso_coach]': 'carla',
    });
    // Another request under the same name: the price is there.
    stub.answer('POST /v1/prices', {
      status: 400,
      json: { error: { type: 'invalid_request_error', param: 'lookup_key', message: 'taken' } },
    });
    stub.answer('GET /v1/prices', list({ id: 'price_0' }));
    expect(await make('createPrice', price)).toEqual({ priceId: 'price_0' });
    expect(await find('createPrice', price)).toEqual({ priceId: 'price_0' });
    expect(stub.last('GET /v1/prices')!.form['lookup_keys[0]']).toBe('pulso:carla:40000:MXN:month');
  });

  it('is an account of Stripe’s own pages, which is ready once it can be paid', async () => {
    for (const [transfers, isReady] of [
      ['active', true],
      ['pending', false],
      ['inactive', false],
    ] as const) {
      stub.answer('POST /v1/accounts', { json: { id: 'acct_1', capabilities: { transfers } } });
      expect(await make('createAccount', { coachId: 'carla' })).toEqual({ id: 'acct_1', isReady });
    }
    expect(stub.last('POST /v1/accounts')!.form).toMatchObject({
      type: 'express',
      'capabilities[transfers][requested]': 'true',
      'metadata[pulso_coach]': 'carla',
    });
  });

  it('is a checkout whose payments go to the coach’s account, with the platform’s share where there is one', async () => {
    const session = {
      ...{ id: 'cs_1', url: 'https://pay.example/cs_1', status: 'open', expires_at: SECONDS + 3_600 },
      ...{ customer: 'cus_1', subscription: null },
    };
    stub.answer('POST /v1/checkout/sessions', { json: session });
    const request = {
      ...{ ...PAIR, customerId: 'cus_1', priceId: 'price_1', accountId: 'acct_1' },
      ...{ successUrl: 'https://pulso.example/ok', cancelUrl: 'https://pulso.example/no' },
      expiresAt: NOW + 3_600_000,
    };
    expect(await make('createCheckout', request)).toEqual({
      ...{ id: 'cs_1', url: 'https://pay.example/cs_1', state: 'open', expiresAt: NOW + 3_600_000 },
      ...{ customerId: 'cus_1', subscriptionId: null },
    });
    const { form } = stub.last('POST /v1/checkout/sessions')!;
    expect(form).toMatchObject({
      mode: 'subscription',
      customer: 'cus_1',
      'line_items[0][price]': 'price_1',
      'line_items[0][quantity]': '1',
      expires_at: String(SECONDS + 3_600),
      'subscription_data[transfer_data][destination]': 'acct_1',
      'subscription_data[metadata][pulso_user]': 'ana',
      'subscription_data[metadata][pulso_coach]': 'carla',
      'subscription_data[metadata][pulso_installation]': 'pulso',
    });
    expect(Object.keys(form).some((name) => name.includes('application_fee'))).toBe(false);
    await make('createCheckout', request, providerWith({ feePercent: 12.5 }));
    expect(stub.last('POST /v1/checkout/sessions')!.form).toMatchObject({
      'subscription_data[application_fee_percent]': '12.5',
    });
    const other = { ...session, id: 'cs_2', metadata: { ...MARKS, pulso_coach: 'mike' } };
    stub.answer('GET /v1/checkout/sessions', list(other, { ...session, metadata: MARKS }));
    expect(await find('createCheckout', request)).toMatchObject({ id: 'cs_1' });
    stub.answer('GET /v1/checkout/sessions', list(other));
    expect(await find('createCheckout', request)).toBeUndefined();
  });

  it('is found again by its marks, and nobody else’s is', async () => {
    const foreign = {
      id: 'cus_2',
      metadata: { pulso_user: 'ana', pulso_currency: 'MXN', pulso_installation: 'staging' },
    };
    const own = { id: 'cus_1', metadata: { ...foreign.metadata, pulso_installation: 'pulso' } };
    stub.answer('GET /v1/customers', list(foreign, { id: 'cus_3', metadata: {} }, own));
    expect(await find('createCustomer', { userId: 'ana', currency: 'MXN' })).toEqual({ customerId: 'cus_1' });
    expect(await find('createCustomer', { userId: 'ana', currency: 'USD' })).toBeUndefined();
  });
});

describe('what is ended', () => {
  const refused = { status: 400, json: { error: { type: 'invalid_request_error', message: 'no' } } };

  it('is a checkout, or is taken as it was closed before', async () => {
    const open = {
      id: 'cs_1',
      url: 'https://pay.example',
      status: 'open',
      expires_at: SECONDS,
      customer: 'cus_1',
    };
    stub.answer('POST /v1/checkout/sessions/cs_1/expire', {
      json: { ...open, url: null, status: 'expired' },
    });
    expect(await make('expireCheckout', { checkoutId: 'cs_1' })).toMatchObject({
      state: 'expired',
      url: null,
    });
    stub.answer('POST /v1/checkout/sessions/cs_1/expire', refused);
    stub.answer('GET /v1/checkout/sessions/cs_1', {
      json: { ...open, url: null, status: 'complete', subscription: 'sub_1' },
    });
    expect(await make('expireCheckout', { checkoutId: 'cs_1' })).toMatchObject({
      ...{ state: 'complete', subscriptionId: 'sub_1' },
    });
    stub.answer('GET /v1/checkout/sessions/cs_1', { json: open });
    await expect(make('expireCheckout', { checkoutId: 'cs_1' })).rejects.toThrow('no');
    expect(await find('expireCheckout', { checkoutId: 'cs_1' })).toBeUndefined();
  });

  it('is a subscription with its period, or now, also where it has ended already', async () => {
    stub.answer('GET /v1/refunds', list());
    stub.answer('POST /v1/subscriptions/sub_1', { json: subscription() });
    stub.answer('GET /v1/subscriptions/sub_1', { json: subscription({ cancel_at_period_end: true }) });
    const ending = { subscriptionId: 'sub_1', cancelAtPeriodEnd: true };
    expect(await make('setCancelAtPeriodEnd', ending)).toMatchObject({
      id: 'sub_1',
      cancelAtPeriodEnd: true,
    });
    expect(stub.last('POST /v1/subscriptions/sub_1')!.form).toEqual({ cancel_at_period_end: 'true' });
    expect(await find('setCancelAtPeriodEnd', ending)).toMatchObject({ id: 'sub_1' });
    expect(await find('setCancelAtPeriodEnd', { ...ending, cancelAtPeriodEnd: false })).toBeUndefined();

    stub.answer('DELETE /v1/subscriptions/sub_1', refused);
    await expect(make('cancelNow', { subscriptionId: 'sub_1' })).rejects.toThrow('no');
    const ended = subscription({ status: 'canceled', ended_at: SECONDS });
    stub.answer('GET /v1/subscriptions/sub_1', { json: ended });
    stub.answer('GET /v1/invoices', list());
    expect(await make('cancelNow', { subscriptionId: 'sub_1' })).toMatchObject({
      ...{ status: 'cancelled', endedAt: NOW },
    });
  });

  // Rule: SUBS-36
  it('that ends a subscription voids what is open, each invoice under a key of its own', async () => {
    const invoice = (id: string, status = 'open') => ({ id, object: 'invoice', status });
    const ended = subscription({ status: 'canceled', ended_at: SECONDS });
    stub.answer('GET /v1/refunds', list());
    stub.answer('DELETE /v1/subscriptions/sub_1', { json: ended });
    stub.answer('GET /v1/subscriptions/sub_1', { json: ended });
    stub.answer('GET /v1/invoices', list(invoice('in_2'), invoice('in_1')));
    stub.answer('POST /v1/invoices/in_2/void', { json: invoice('in_2', 'void') });
    // Paid just now.
    stub.answer('POST /v1/invoices/in_1/void', refused);
    stub.answer('GET /v1/invoices/in_1', { json: invoice('in_1', 'paid') });
    const request = { subscriptionId: 'sub_1' };
    expect(await make('cancelNow', request)).toMatchObject({ status: 'cancelled' });
    expect(stub.last('GET /v1/invoices')!.form).toMatchObject({ subscription: 'sub_1', status: 'open' });
    const keys = stub.requests
      .filter(({ path }) => path.endsWith('/void'))
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['a key-void-in_2', 'a key-void-in_1']);
    // It has not done all of its work before the last one is closed.
    expect(await find('cancelNow', request)).toBeUndefined();
    stub.answer('GET /v1/invoices', list());
    expect(await find('cancelNow', request)).toMatchObject({ status: 'cancelled' });
  });

  // Rule: SUBS-36
  it('that ends a subscription fails where an invoice stays open, and has ended it', async () => {
    const ended = subscription({ status: 'canceled', ended_at: SECONDS });
    stub.answer('GET /v1/refunds', list());
    stub.answer('DELETE /v1/subscriptions/sub_1', { json: ended });
    stub.answer('GET /v1/subscriptions/sub_1', { json: ended });
    stub.answer('GET /v1/invoices', list({ id: 'in_1', object: 'invoice', status: 'open' }));
    stub.answer('POST /v1/invoices/in_1/void', refused);
    stub.answer('GET /v1/invoices/in_1', { json: { id: 'in_1', object: 'invoice', status: 'open' } });
    await expect(make('cancelNow', { subscriptionId: 'sub_1' })).rejects.toThrow('no');
  });

  it('gives money back out of the coach’s share, and is found again', async () => {
    const request = { paymentId: 'pi_1', amountMinor: 1_000, reason: 'blocked' };
    stub.answer('POST /v1/refunds', { json: { id: 're_1', amount: 1_000 } });
    expect(await make('refund', request)).toEqual({ refundId: 're_1', amountMinor: 1_000 });
    expect(stub.last('POST /v1/refunds')!.form).toEqual({
      ...{ payment_intent: 'pi_1', amount: '1000', reverse_transfer: 'true' },
      ...{ 'metadata[pulso_installation]': 'pulso', 'metadata[pulso_reason]': 'blocked' },
    });
    await make('refund', request, providerWith({ feePercent: 5 }));
    expect(stub.last('POST /v1/refunds')!.form).toMatchObject({ refund_application_fee: 'true' });
    const metadata = { pulso_installation: 'pulso', pulso_reason: 'blocked' };
    const made = { id: 're_1', amount: 1_000, status: 'succeeded', metadata };
    stub.answer('GET /v1/refunds', list({ ...made, id: 're_0', status: 'failed' }, made));
    expect(await find('refund', request)).toEqual({ refundId: 're_1', amountMinor: 1_000 });
    expect(await find('refund', { ...request, amountMinor: 999 })).toBeUndefined();
  });
});
