import type { CallContext, PaymentProvider, Rendered } from '../src/provider/payment-provider.js';
import type { StripeSettings } from '../src/settings.js';
import { DAY, list, NOW, providerOn, SECONDS, signal, subscription } from './support/on-stub.js';
import { StripeStub } from './support/stripe-stub.js';

let stub: StripeStub;
beforeAll(async () => (stub = await StripeStub.start()));
beforeEach(() => stub.reset());
afterAll(() => stub?.stop());

const providerWith = (changes: Partial<StripeSettings> = {}) => providerOn(stub, changes);
const dispute = (changes: object = {}) => ({
  ...{ id: 'dp_1', object: 'dispute', amount: 40_000, charge: 'ch_1', status: 'needs_response' },
  ...changes,
});

// Rule: SUBS-34
describe('disputes', () => {
  beforeEach(() => {
    stub.answer('GET /v1/refunds', list());
    const charge = { id: 'ch_1', payment_intent: 'pi_0' };
    stub.answer(
      'GET /v1/charges',
      list({ ...charge, disputed: true }, { ...charge, id: 'ch_2', disputed: false }),
    );
    const parent = { subscription_details: { subscription: 'sub_1' } };
    stub.answer('GET /v1/invoice_payments', list({ id: 'inpay_1', invoice: { id: 'in_0', parent } }));
  });
  const read = async () => {
    const found = await providerWith().subscriptionsOf('cus_1', signal());
    return found.map(({ id, disputes }) => [id, ...disputes.map(({ state }) => state)]);
  };

  it('are those of any payment of a customer’s subscriptions, of a year and a half', async () => {
    stub.answer('GET /v1/disputes', list(dispute()));
    stub.answer('GET /v1/subscriptions', list(subscription(), subscription({ id: 'sub_2' })));
    const found = await providerWith().subscriptionsOf('cus_1', signal());
    expect(found.map(({ disputes }) => disputes)).toEqual([
      [{ id: 'dp_1', paymentId: 'pi_0', amountMinor: 40_000, state: 'open' }],
      [],
    ]);
    expect(stub.last('GET /v1/charges')!.form).toMatchObject({
      ...{ customer: 'cus_1', 'created[gte]': String(SECONDS - 540 * DAY) },
    });
    expect(stub.last('GET /v1/disputes')!.form).toMatchObject({ charge: 'ch_1' });
    expect(stub.last('GET /v1/invoice_payments')!.form).toMatchObject({ 'payment[payment_intent]': 'pi_0' });
  });

  it.each([
    ['under_review', 'open'],
    ['appeal_under_review', 'open'],
    ['lost', 'lost'],
    ['won', 'won'],
  ])('of the state %s are %s', async (status, state) => {
    stub.answer('GET /v1/disputes', list(dispute({ status })));
    stub.answer('GET /v1/subscriptions', list(subscription()));
    expect(await read()).toEqual([['sub_1', state]]);
  });

  it.each(['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented'])(
    'of the state %s are none',
    async (status) => {
      stub.answer('GET /v1/disputes', list(dispute({ status })));
      stub.answer('GET /v1/subscriptions', list(subscription()));
      expect(await read()).toEqual([['sub_1']]);
    },
  );

  it('are read of subscriptions that ended long ago, and not of payments of something else', async () => {
    stub.answer('GET /v1/disputes', list(dispute()));
    const old = subscription({ status: 'canceled', ended_at: SECONDS - 120 * DAY });
    stub.answer('GET /v1/subscriptions', list(old));
    expect(await read()).toEqual([['sub_1', 'open']]);
    stub.answer('GET /v1/invoice_payments', list());
    expect(await read()).toEqual([]);
  });

  it('tell whose payment they are of, one and all', async () => {
    const charge = { id: 'ch_1', customer: 'cus_1' };
    stub.answer('GET /v1/disputes/dp_1', { json: dispute({ charge }) });
    expect(await providerWith().payerOfDispute('dp_1', signal())).toBe('cus_1');
    stub.answer(
      'GET /v1/disputes',
      list(
        dispute({ charge }),
        dispute({ id: 'dp_2', charge, status: 'warning_closed' }),
        dispute({ id: 'dp_3', charge: { id: 'ch_3', customer: null } }),
      ),
    );
    const found = [];
    for await (const each of providerWith().disputes(null, signal())) found.push(each);
    expect(found).toEqual([{ id: 'dp_1', state: 'open', customerId: 'cus_1' }]);
  });
});

const REQUEST = { disputeId: 'dp_1', paymentId: 'pi_1', amountMinor: 40_000 };
const MARKS = { pulso_installation: 'pulso', pulso_dispute: 'dp_1' };
const context: CallContext = { key: 'a key', apiVersion: '2026-10-28.endive', signal: signal() };
type Name = 'takeShareBack' | 'giveShareBack';
const callOf = (name: Name, request: typeof REQUEST) => {
  const call: PaymentProvider['calls'][Name] = providerWith({ feePercent: 10 }).calls[name];
  const stored = JSON.parse(JSON.stringify(call.render(request))) as Rendered;
  return { make: () => call.make(stored, context), find: () => call.find(stored, context) };
};
/** The payment of 400, of which the coach has got `amount` with a fee of 40, and `reversed` was taken back. */
function paid(reversed = 0, refundedFee = 0): void {
  const transfer = {
    id: 'tr_1',
    currency: 'mxn',
    amount: 40_000,
    amount_reversed: reversed,
    destination: 'acct_1',
  };
  const fee = { id: 'fee_1', amount: 4_000, amount_refunded: refundedFee };
  stub.answer('GET /v1/payment_intents/pi_1', {
    json: { latest_charge: { id: 'ch_1', transfer, application_fee: fee } },
  });
}

// Rule: SUBS-34
describe('the coach’s share of a disputed payment', () => {
  beforeEach(() => {
    stub.answer('GET /v1/transfers/tr_1/reversals', list());
    stub.answer('GET /v1/transfers', list());
    stub.answer('POST /v1/transfers/tr_1/reversals', { json: { id: 'trr_1' } });
    stub.answer('POST /v1/transfers', { json: { id: 'tr_2' } });
  });

  it('is taken back without the platform’s fee, as far as it is left', async () => {
    paid();
    expect(await callOf('takeShareBack', REQUEST).make()).toEqual({ amountMinor: 36_000 });
    const sent = stub.last('POST /v1/transfers/tr_1/reversals')!;
    expect(sent.headers['idempotency-key']).toBe('a key');
    expect(sent.form).toEqual({
      ...{ amount: '36000', 'metadata[pulso_installation]': 'pulso', 'metadata[pulso_dispute]': 'dp_1' },
    });
    expect(await callOf('takeShareBack', { ...REQUEST, amountMinor: 10_000 }).make()).toEqual({
      amountMinor: 9_000,
    });
    paid(20_000, 2_000);
    expect(await callOf('takeShareBack', REQUEST).make()).toEqual({ amountMinor: 18_000 });
    stub.reset();
    stub.answer('GET /v1/transfers/tr_1/reversals', list());
    paid(40_000, 4_000);
    expect(await callOf('takeShareBack', REQUEST).make()).toEqual({ amountMinor: 0 });
    stub.answer('GET /v1/payment_intents/pi_1', { json: { latest_charge: { id: 'ch_1' } } });
    expect(await callOf('takeShareBack', REQUEST).make()).toEqual({ amountMinor: 0 });
    expect(stub.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('is taken back once, under whatever key', async () => {
    paid(36_000);
    expect(await callOf('takeShareBack', REQUEST).find()).toBeUndefined();
    stub.answer(
      'GET /v1/transfers/tr_1/reversals',
      list({ id: 'trr_0', amount: 5, metadata: {} }, { id: 'trr_1', amount: 36_000, metadata: MARKS }),
    );
    expect(await callOf('takeShareBack', REQUEST).find()).toEqual({ amountMinor: 36_000 });
    expect(await callOf('takeShareBack', REQUEST).make()).toEqual({ amountMinor: 36_000 });
    expect(stub.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('is given back by one transfer to the same account', async () => {
    paid(36_000);
    const give = callOf('giveShareBack', { ...REQUEST, amountMinor: 36_000 });
    expect(await give.find()).toBeUndefined();
    expect(await give.make()).toEqual({ amountMinor: 36_000 });
    expect(stub.last('POST /v1/transfers')!.form).toMatchObject({
      ...{ amount: '36000', currency: 'mxn', destination: 'acct_1', 'metadata[pulso_dispute]': 'dp_1' },
    });
    stub.reset();
    paid(36_000);
    stub.answer('GET /v1/transfers', list({ id: 'tr_2', amount: 36_000, metadata: MARKS }));
    expect(await give.find()).toEqual({ amountMinor: 36_000 });
    expect(await give.make()).toEqual({ amountMinor: 36_000 });
    expect(stub.last('GET /v1/transfers')!.form).toMatchObject({
      ...{ destination: 'acct_1', 'created[gte]': String(NOW / 1000 - 26 * 60 * 60) },
    });
    expect(stub.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
