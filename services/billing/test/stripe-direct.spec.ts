import type { CallContext, PaymentProvider, Rendered } from '../src/provider/payment-provider.js';
import { list, NOW, PAIR, providerOn, SECONDS, signal, subscription } from './support/on-stub.js';
import { StripeStub } from './support/stripe-stub.js';

// Rule: SUBS-16. With direct charges all of a coach's subscriptions is on the coach's account.

let stub: StripeStub;
beforeAll(async () => (stub = await StripeStub.start()));
beforeEach(() => stub.reset());
afterAll(() => stub?.stop());

const provider = () => providerOn(stub, { charges: 'direct', feePercent: 10 });
const context: CallContext = { key: 'a key', apiVersion: '2026-10-28.endive', signal: signal() };
const accountsAsked = () => new Set(stub.requests.map(({ headers }) => headers['stripe-account']));

type Calls = PaymentProvider['calls'];

function storedCall<N extends keyof Calls>(name: N, request: Parameters<Calls[N]['render']>[0]) {
  const call = provider().calls[name] as {
    render(given: unknown): Rendered;
    make(...given: unknown[]): Promise<unknown>;
    find(...given: unknown[]): Promise<unknown>;
  };
  return { call, stored: JSON.parse(JSON.stringify(call.render(request))) as Rendered };
}

async function make<N extends keyof Calls>(name: N, request: Parameters<Calls[N]['render']>[0]) {
  const { call, stored } = storedCall(name, request);
  return call.make(stored, context);
}

async function find<N extends keyof Calls>(name: N, request: Parameters<Calls[N]['render']>[0]) {
  const { call, stored } = storedCall(name, request);
  return call.find(stored, context);
}

it('makes customer, price, page and refund on the coach’s account, without a transfer', async () => {
  stub.answer('POST /v1/customers', { json: { id: 'cus_1' } });
  stub.answer('POST /v1/prices', { json: { id: 'price_1' } });
  stub.answer('POST /v1/refunds', { json: { id: 're_1', amount: 1_000 } });
  stub.answer('POST /v1/checkout/sessions', {
    json: {
      ...{ id: 'cs_1', url: 'https://pay.example/cs_1', status: 'complete', expires_at: SECONDS },
      ...{ customer: 'cus_1', subscription: 'sub_1' },
    },
  });
  const accountId = 'acct_1';
  const customer = await make('createCustomer', { userId: 'ana', currency: 'MXN', accountId });
  expect(customer).toEqual({ customerId: 'acct_1/cus_1' });
  const price = await make('createPrice', {
    ...{ coachId: 'carla', coachName: 'Carla', amountMinor: 40_000, currency: 'MXN', accountId },
  });
  expect(price).toEqual({ priceId: 'acct_1/price_1' });
  const page = await make('createCheckout', {
    ...{ ...PAIR, customerId: 'acct_1/cus_1', priceId: 'acct_1/price_1', accountId, expiresAt: NOW },
    ...{ successUrl: 'https://pulso.example/ok', cancelUrl: 'https://pulso.example/no' },
  });
  expect(page).toMatchObject({
    ...{ id: 'acct_1/cs_1', customerId: 'acct_1/cus_1', subscriptionId: 'acct_1/sub_1' },
  });
  const { form } = stub.last('POST /v1/checkout/sessions')!;
  expect(form).toMatchObject({
    ...{ customer: 'cus_1', 'line_items[0][price]': 'price_1' },
    'subscription_data[application_fee_percent]': '10',
  });
  expect(Object.keys(form).filter((name) => /transfer|account/.test(name))).toEqual([]);
  const refund = { paymentId: 'acct_1/pi_1', amountMinor: 1_000, reason: 'blocked' };
  expect(await make('refund', refund)).toEqual({ refundId: 'acct_1/re_1', amountMinor: 1_000 });
  expect(stub.last('POST /v1/refunds')!.form).toMatchObject({
    ...{ payment_intent: 'pi_1', refund_application_fee: 'true' },
  });
  expect(stub.last('POST /v1/refunds')!.form).not.toHaveProperty('reverse_transfer');
  expect(accountsAsked()).toEqual(new Set(['acct_1']));
});

it('finds there what it has made', async () => {
  const marks = { pulso_installation: 'pulso', pulso_user: 'ana', pulso_currency: 'MXN' };
  stub.answer('GET /v1/customers', list({ id: 'cus_1', metadata: marks }));
  stub.answer('GET /v1/prices', list({ id: 'price_1' }));
  const accountId = 'acct_1';
  expect(await find('createCustomer', { userId: 'ana', currency: 'MXN', accountId })).toEqual({
    customerId: 'acct_1/cus_1',
  });
  const price = { coachId: 'carla', coachName: 'Carla', amountMinor: 40_000, currency: 'MXN', accountId };
  expect(await find('createPrice', { ...price, currency: 'MXN' })).toEqual({ priceId: 'acct_1/price_1' });
  expect(accountsAsked()).toEqual(new Set(['acct_1']));
});

it('reads, changes and ends a subscription where it is', async () => {
  stub.answer('GET /v1/charges', list());
  stub.answer('GET /v1/refunds', list());
  const open = { id: 'in_1', object: 'invoice', status: 'open', created: SECONDS };
  stub.answer('GET /v1/invoices', list(open));
  stub.answer('POST /v1/invoices/in_1/void', { json: { ...open, status: 'void' } });
  stub.answer('GET /v1/subscriptions', list(subscription({ status: 'past_due' })));
  stub.answer('GET /v1/subscriptions/sub_1', { json: subscription({ status: 'canceled' }) });
  stub.answer('POST /v1/subscriptions/sub_1', { json: subscription() });
  stub.answer('DELETE /v1/subscriptions/sub_1', { json: subscription() });
  const read = {
    ...{ id: 'acct_1/sub_1', customerId: 'acct_1/cus_1', pair: PAIR },
    latestPayment: { paymentId: 'acct_1/pi_1' },
  };
  expect(await provider().subscriptionsOf('acct_1/cus_1', signal())).toMatchObject([read]);
  for await (const each of provider().liveSubscriptions('acct_1', signal())) expect(each).toMatchObject(read);
  const id = { subscriptionId: 'acct_1/sub_1' };
  expect(await make('setCancelAtPeriodEnd', { ...id, cancelAtPeriodEnd: true })).toMatchObject(read);
  expect(await make('cancelNow', id)).toMatchObject({ ...read, status: 'cancelled' });
  expect(accountsAsked()).toEqual(new Set(['acct_1']));
});

// Rule: SUBS-34
it('leaves a dispute to the coach, whose charge it is', async () => {
  stub.answer('GET /v1/disputes/dp_1', { json: { id: 'dp_1', charge: { customer: 'cus_1' } } });
  stub.answer('GET /v1/disputes', list({ id: 'dp_1', status: 'lost', charge: { customer: 'cus_1' } }));
  expect(await provider().payerOfDispute('acct_1/dp_1', signal())).toBe('acct_1/cus_1');
  for await (const dispute of provider().disputes('acct_1', signal()))
    expect(dispute).toEqual({ id: 'acct_1/dp_1', state: 'lost', customerId: 'acct_1/cus_1' });
  expect(accountsAsked()).toEqual(new Set(['acct_1']));
  const share = { disputeId: 'acct_1/dp_1', paymentId: 'acct_1/pi_1', amountMinor: 40_000 };
  expect(await make('takeShareBack', share)).toEqual({ amountMinor: 0 });
  expect(stub.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

// Rule: SUBS-19, SUBS-20
describe('the coach’s account', () => {
  it.each([
    ['active', 'active', true],
    ['active', 'pending', false],
    ['inactive', 'active', false],
  ])('is ready once it can be paid and can charge cards (%s, %s)', async (transfers, cards, isReady) => {
    stub.answer('GET /v1/accounts/acct_1', {
      json: { id: 'acct_1', capabilities: { transfers, card_payments: cards } },
    });
    expect(await provider().account('acct_1', signal())).toEqual({ id: 'acct_1', isReady });
    expect(accountsAsked()).toEqual(new Set([undefined]));
  });

  it('gets a portal of its own, made once', async () => {
    stub.answer('GET /v1/billing_portal/configurations', list({ id: 'bpc_other', metadata: {} }));
    stub.answer('POST /v1/billing_portal/configurations', { json: { id: 'bpc_1' } });
    stub.answer('POST /v1/billing_portal/sessions', { json: { url: 'https://pay.example/portal' } });
    const to = { customerId: 'acct_1/cus_1', returnUrl: 'https://pulso.example/' };
    expect(await provider().openPortal(to, signal())).toBe('https://pay.example/portal');
    const made = stub.last('POST /v1/billing_portal/configurations')!;
    expect(made.form).toMatchObject({
      'metadata[pulso_installation]': 'pulso',
      'features[subscription_cancel][mode]': 'at_period_end',
    });
    expect(made.form).not.toHaveProperty('features[subscription_update][enabled]');
    expect(made.headers['idempotency-key']).toContain('acct_1');
    expect(stub.last('POST /v1/billing_portal/sessions')!.form).toMatchObject({
      ...{ customer: 'cus_1', configuration: 'bpc_1' },
    });
    const own = { id: 'bpc_1', metadata: { pulso_installation: 'pulso' } };
    stub.answer('GET /v1/billing_portal/configurations', list(own));
    await provider().openPortal(to, signal());
    const asked = stub.requests.map(({ method, path }) => `${method} ${path}`);
    expect(asked.filter((each) => each === 'POST /v1/billing_portal/configurations')).toHaveLength(1);
    expect(accountsAsked()).toEqual(new Set(['acct_1']));
  });
});

it('takes an account that has left the platform as a refusal', async () => {
  const error = { type: 'invalid_request_error', code: 'account_invalid', message: 'no access' };
  stub.answer('GET /v1/charges', { status: 403, json: { error } });
  const failed = await provider()
    .subscriptionsOf('acct_1/cus_1', signal())
    .catch((reason: unknown) => provider().failureOf(reason));
  expect(failed).toBe('refused');
});
