import { PayoutState } from '@pulso/contracts/billing/v1/billing';
import type { Problem } from '../src/errors/problem.js';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { OTHER_ID, USER_ID } from './support/fake-clients.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const own = 'https://pulso.example/dashboard?from=stripe';
const send = async (path: string, json: unknown, token?: null) => {
  const response = await gateway.call('POST', `/api/stripe/${path}`, { json, token });
  return { status: response.status, problem: (await response.json()) as Problem };
};

const price = {
  coachUid: USER_ID,
  unitAmount: 40_000,
  currency: 'mxn',
  interval: 'month',
  coachName: 'Ana Torres',
};
const CALLS = [
  ['checkout/create', { coachUid: OTHER_ID, success_url: own, cancel_url: own }],
  ['prices/lazy-create', price],
  ['connect/create-account', { uid: USER_ID }],
  ['connect/onboarding-link', { uid: USER_ID, refresh_url: own, return_url: own }],
  ['billing/portal', { return_url: own }],
  ['connect/dashboard-link', { return_url: own }],
] as const;

// Rule: SUBS-3, SUBS-21
describe('a call that needs a payment provider', () => {
  it.each(CALLS)('is 503 without one: %s', async (path, json) => {
    const { status, problem } = await send(path, json);
    expect([status, problem.code, problem.error]).toEqual([503, 'payments-not-configured', problem.detail]);
    expect(gateway.calls).toEqual([]);
  });

  it('is so for the webhook, which nobody signs in for and whose body is not parsed', async () => {
    for (const body of ['{"id":"evt_1"', 'x'.repeat(300_000)]) {
      for (const type of ['application/json', 'text/plain', 'nonsense']) {
        const headers = { 'content-type': type, 'stripe-signature': 't=1,v1=00' };
        const answer = await gateway.call('POST', '/api/stripe/webhook', { token: null, body, headers });
        const problem = (await answer.json()) as Problem;
        expect([answer.status, problem.code, problem.error]).toEqual([
          503,
          'payments-not-configured',
          problem.detail,
        ]);
      }
    }
  });

  it('needs a token', async () => {
    for (const [path, json] of CALLS) {
      const { status, problem } = await send(path, json, null);
      expect([path, status, problem.error]).toEqual([path, 401, problem.detail]);
    }
  });

  it.each([
    ['prices/lazy-create', { ...price, coachUid: OTHER_ID }],
    ['connect/create-account', { uid: OTHER_ID }],
    ['connect/onboarding-link', { uid: OTHER_ID, refresh_url: own, return_url: own }],
    ['connect/create-account', { uid: `${USER_ID} ` }],
    ['connect/create-account', { uid: USER_ID.toUpperCase() }],
    ['connect/create-account', { uid: '' }],
  ])('is 403 with the id of somebody else: %s', async (path, json) => {
    const { status, problem } = await send(path, json);
    expect([status, problem.code, problem.error]).toEqual([403, 'permission-denied', problem.detail]);
  });

  it('is 422 for a checkout of one’s own subscription', async () => {
    const json = { coachUid: USER_ID, success_url: own, cancel_url: own };
    expect(await send('checkout/create', json)).toMatchObject({
      status: 422,
      problem: { code: 'cannot-subscribe-self' },
    });
  });

  it.each([
    'https://evil.example/',
    'http://pulso.example/',
    'https://pulso.example:444/',
    'https://pulso.example.evil.example/',
    'https://pulso.example@evil.example/',
    'https://somebody:secret@pulso.example/',
    'https:\\\\evil.example/',
    '//pulso.example/',
    '/dashboard',
    'javascript:alert(1)//pulso.example',
    'data:text/html,x',
    'blob:https://pulso.example/x',
  ])('is 400 with the return address %s', async (address) => {
    for (const [path, json] of CALLS) {
      for (const field of Object.keys(json).filter((name) => name.endsWith('_url'))) {
        const { status, problem } = await send(path, { ...json, [field]: address });
        expect([path, status, problem.errors?.map((error) => error.path)]).toEqual([path, 400, [field]]);
      }
    }
  });

  it.each(['1e309', '-1', '0.3', '10000001', 'NaN', '"400"', 'null'])(
    'is 400 with an amount of %s',
    async (amount) => {
      const body = JSON.stringify(price).replace('40000', amount);
      const headers = { 'content-type': 'application/json' };
      const answer = await gateway.call('POST', '/api/stripe/prices/lazy-create', { body, headers });
      expect(answer.status).toBe(400);
      expect(gateway.calls).toEqual([]);
    },
  );

  it('tells the text of a problem in `error` there alone', async () => {
    expect((await send('nothing', {})).problem).toMatchObject({ status: 404, error: 'Not found' });
    const elsewhere = await gateway.call('GET', '/api/nothing');
    expect(await elsewhere.json()).not.toHaveProperty('error');
  });
});

// Rule: SUBS-21, HTTP-29
describe('with a provider', () => {
  const RPC = {
    'checkout/create': ['openCheckout', { coachId: OTHER_ID, successUrl: own, cancelUrl: own }],
    'prices/lazy-create': ['ensurePrice', {}],
    'connect/create-account': ['openPayoutAccount', {}],
    'connect/onboarding-link': ['openOnboarding', { refreshUrl: own, returnUrl: own }],
    'billing/portal': ['openBillingPortal', { returnUrl: own }],
    'connect/dashboard-link': ['openPayoutDashboard', { returnUrl: own }],
  } as const;
  const ANSWER: Partial<Record<string, object>> = {
    'prices/lazy-create': { priceId: 'price_1' },
    'connect/create-account': { accountId: 'acct_1' },
  };
  const event = (on: TestGateway, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    on.call('POST', '/api/stripe/webhook', { token: null, body, headers });

  it('tells what the caller has left to do', async () => {
    const on = await startGatewayForThisTest({ PAYMENTS: 'stripe' });
    const status = async () => (await on.call('GET', '/api/stripe/status')).json();
    expect(await status()).toEqual({ paymentDueBy: null, payouts: 'none' });
    on.billing.getPaymentStatus = () =>
      Promise.resolve({ paymentDueBy: Date.UTC(2026, 4, 4), payouts: PayoutState.PAYOUT_STATE_READY });
    expect(await status()).toEqual({ paymentDueBy: '2026-05-04T00:00:00.000Z', payouts: 'ready' });
  });

  it('nobody is told what is left to do by somebody else, whoever is named', async () => {
    const on = await startGatewayForThisTest({ PAYMENTS: 'stripe' });
    on.calls.length = 0;
    for (const query of ['', `?uid=${OTHER_ID}`, `?userId=${OTHER_ID}`])
      expect((await on.call('GET', `/api/stripe/status${query}`, { token: null })).status).toBe(401);
    expect(on.calls).toEqual([]);
    await on.call('GET', `/api/stripe/status?uid=${OTHER_ID}`);
    for (const { request, context } of on.calls) {
      expect(request).toEqual({});
      expect(context?.caller?.userId).toBe(USER_ID);
    }
  });

  it('a client that names an amount, a customer or an account is refused, or not heard', async () => {
    const on = await startGatewayForThisTest({ PAYMENTS: 'stripe' });
    const named = {
      customer: 'cus_other',
      account: 'acct_other',
      metadata: { pulso_user: OTHER_ID },
      amount: 1,
    };
    on.calls.length = 0;
    for (const [path, json] of CALLS) {
      for (const [field, value] of Object.entries(named)) {
        const answer = await on.call('POST', `/api/stripe/${path}`, { json: { ...json, [field]: value } });
        expect([path, field, answer.status]).toEqual([path, field, 400]);
      }
    }
    expect(on.calls).toEqual([]);
    const cheap = { ...price, unitAmount: 1, currency: 'usd', coachName: 'Somebody else' };
    expect((await on.call('POST', '/api/stripe/prices/lazy-create', { json: cheap })).status).toBe(200);
    expect(on.calls.map(({ request }) => request)).toEqual([{}]);
  });

  it.each(['stripe', 'simulator'] as const)('%s, each call asks billing, which decides', async (PAYMENTS) => {
    const on = await startGatewayForThisTest({ PAYMENTS });
    for (const [path, json] of CALLS) {
      on.calls.length = 0;
      const answer = await on.call('POST', `/api/stripe/${path}`, { json });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(await answer.json()).toEqual(ANSWER[path] ?? { url: expect.stringMatching(/^https:/) });
      const [method, request] = RPC[path];
      // No amount and no name of the client's goes on.
      expect(on.calls).toMatchObject([{ service: 'billing', method }]);
      expect(on.calls[0]!.request).toEqual(request);
      expect(on.calls[0]!.context?.caller?.userId).toBe(USER_ID);
    }
    const config = await on.call('GET', '/api/config');
    expect(await config.json()).toMatchObject({ payments: 'stripe', minimumPrice: { MXN: 10, USD: 0.5 } });
  });

  it('the same mistakes are refused, before billing is asked', async () => {
    const on = await startGatewayForThisTest({ PAYMENTS: 'stripe' });
    on.calls.length = 0;
    const foreign = 'https://evil.example/';
    const wrong = [
      ['checkout/create', { coachUid: USER_ID, success_url: own, cancel_url: own }, 422],
      ['checkout/create', { coachUid: OTHER_ID, success_url: foreign, cancel_url: own }, 400],
      ['checkout/create', { coachUid: OTHER_ID, success_url: own, cancel_url: foreign }, 400],
      ['prices/lazy-create', { ...price, coachUid: OTHER_ID }, 403],
      ['connect/create-account', { uid: OTHER_ID }, 403],
      ['connect/onboarding-link', { uid: OTHER_ID, refresh_url: own, return_url: own }, 403],
      ['billing/portal', { return_url: foreign }, 400],
      ['connect/dashboard-link', { return_url: foreign }, 400],
    ] as const;
    for (const [path, json, status] of wrong) {
      const answer = await on.call('POST', `/api/stripe/${path}`, { json });
      expect([path, answer.status]).toEqual([path, status]);
    }
    expect(on.calls).toEqual([]);
  });

  it('billing’s refusals have their code, and their text in `error`', async () => {
    const on = await startGatewayForThisTest({ PAYMENTS: 'stripe' });
    for (const [code, status] of [
      ['outcome-unknown', 503],
      ['coach-not-ready', 422],
      ['conflict', 409],
      ['unavailable', 503],
    ] as const) {
      on.billing.openCheckout = () => Promise.reject(new DomainError(code, `Refused: ${code}.`));
      const json = { coachUid: OTHER_ID, success_url: own, cancel_url: own };
      const answer = await on.call('POST', '/api/stripe/checkout/create', { json });
      expect([answer.status, await answer.json()]).toMatchObject([
        status,
        { code, error: `Refused: ${code}.` },
      ]);
    }
  });

  it('the webhook hands on the bytes and the signature as they come, of whatever type', async () => {
    const on = await startGatewayForThisTest({ PAYMENTS: 'stripe' });
    const bytes = Uint8Array.from([0, 255, 10, 13, 123, 34]);
    for (const type of ['application/json', 'text/plain', 'nonsense', undefined]) {
      on.calls.length = 0;
      const headers = {
        'stripe-signature': 't=1,v1=00',
        ...(type !== undefined && { 'content-type': type }),
      };
      const answer = await event(on, bytes, headers);
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect(on.calls).toMatchObject([{ method: 'takeProviderEvent' }]);
      const { body, signature } = on.calls[0]!.request as { body: Buffer; signature: string };
      expect([[...body], signature]).toEqual([[...bytes], 't=1,v1=00']);
    }
  });

  it('the webhook is 400 where billing does not know the signature, and takes up to 1 MiB', async () => {
    const on = await startGatewayForThisTest({ PAYMENTS: 'stripe' });
    const type = { 'content-type': 'application/json' };
    on.billing.takeProviderEvent = () => Promise.reject(new DomainError('malformed-request', 'Not signed.'));
    expect((await event(on, '{}', type)).status).toBe(400);
    expect((await on.call('POST', '/api/stripe/webhook', { token: null })).status).toBe(400);
    on.billing.takeProviderEvent = () => Promise.resolve({});
    on.calls.length = 0;
    expect((await event(on, 'x'.repeat(1024 * 1024), type)).status).toBe(200);
    expect((await event(on, 'x'.repeat(1024 * 1024 + 1), type)).status).toBe(413);
    expect((await event(on, '{}', { ...type, 'content-encoding': 'gzip' })).status).toBe(415);
    expect(on.calls).toHaveLength(1);
  });
});
