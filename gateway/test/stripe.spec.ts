import type { Problem } from '../src/errors/problem.js';
import { OTHER_ID, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

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
