import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const patch = async (body: string) => {
  const headers = { 'content-type': 'application/json' };
  const response = await gateway.call('PATCH', '/api/me', { body, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const methods = () => gateway.calls.map(({ method }) => method);
const requests = (method: string) =>
  gateway.calls.filter((recorded) => recorded.method === method).map(({ request }) => request);

// Rule: SUBS-4
describe('a price in PATCH /api/me', () => {
  it('is shown to billing before identity is told', async () => {
    const price = { subscriptionPrice: 0.5, subscriptionCurrency: 'USD' };
    expect((await patch(JSON.stringify({ name: 'Ana', ...price }))).status).toBe(200);
    await patch('{"subscriptionCurrency":"MXN"}');
    await patch('{"subscriptionPrice":null}');
    expect(requests('checkPrice')).toEqual([
      { priceMinor: 50, currency: 'USD' },
      { priceMinor: undefined, currency: 'MXN' },
      { priceMinor: undefined, currency: '' },
    ]);
    const order = methods().filter((method) => method === 'checkPrice' || method === 'updateMe');
    expect(order.slice(0, 2)).toEqual(['checkPrice', 'updateMe']);
    expect(requests('updateMe')).toHaveLength(3);
  });

  // Rule: SUBS-32
  it.each(['"subscriptionPrice":400', '"subscriptionPrice":null', '"subscriptionCurrency":"USD"'])(
    'is 503 while billing is down, and nothing is changed: %s',
    async (price) => {
      gateway.billing.checkPrice = () => Promise.reject(unavailable());
      const image = '"profileImageId":"0198f2c1-6a3d-7b94-8e05-2c7d1f9a4b60"';
      expect((await patch(`{"name":"Ana",${image},${price}}`)).status).toBe(503);
      expect(methods()).toEqual(['checkPrice']);
    },
  );

  // Rule: SUBS-32
  it('leaves everything else possible while billing is down', async () => {
    for (const method of Object.keys(gateway.billing) as 'checkPrice'[]) {
      gateway.billing[method] = () => Promise.reject(unavailable());
    }
    expect(await patch('{"name":"Ana","isCoach":true,"specialties":["Yoga"]}')).toMatchObject({
      status: 200,
      body: { name: 'Ana Torres', stats: { subscribers: null }, viewer: { subscribed: null } },
    });
    expect(requests('updateMe')).toHaveLength(1);
  });

  it('is refused as billing refuses it', async () => {
    const detail = 'The lowest price is MX$10.00';
    gateway.billing.checkPrice = () => Promise.reject(new DomainError('price-below-minimum', detail));
    expect(await patch('{"subscriptionPrice":5}')).toMatchObject({
      status: 422,
      body: { code: 'price-below-minimum', detail },
    });
    expect(requests('updateMe')).toEqual([]);
  });

  it('of somebody who becomes a member is identity’s to refuse', async () => {
    gateway.identity.updateMe = () => Promise.reject(new DomainError('permission-denied', 'Only coaches'));
    gateway.billing.checkPrice = () => Promise.reject(unavailable());
    for (const price of ['"subscriptionPrice":400', '"subscriptionCurrency":"USD"']) {
      expect((await patch(`{"isCoach":false,${price}}`)).status).toBe(403);
    }
    // Taking the price away is allowed.
    expect((await patch('{"isCoach":false,"subscriptionPrice":null}')).status).toBe(503);
  });

  it.each(['1e309', '-1e309', 'NaN', '-1', '0.3', '100000.5', '0.49999999999999994', '"400"', '[]', '{}'])(
    'of %s is 400, and neither service hears of it',
    async (price) => {
      expect((await patch(`{"subscriptionPrice":${price}}`)).status).toBe(400);
      expect(methods()).toEqual([]);
    },
  );

  it.each(['"EUR"', '"mxn"', '""', 'null', '1'])('in the currency %s is 400', async (currency) => {
    expect((await patch(`{"subscriptionPrice":400,"subscriptionCurrency":${currency}}`)).status).toBe(400);
    expect(methods()).toEqual([]);
  });
});
