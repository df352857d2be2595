import Stripe from 'stripe';
import type { StripeSettings } from '../src/settings.js';
import { DAY, list, MARKS, NOW, PAIR, providerOn, SECONDS, signal, subscription } from './support/on-stub.js';
import { StripeStub } from './support/stripe-stub.js';

let stub: StripeStub;
beforeAll(async () => (stub = await StripeStub.start()));
beforeEach(() => {
  stub.reset();
  stub.answer('GET /v1/charges', list());
});
afterAll(() => stub?.stop());

const providerWith = (changes: Partial<StripeSettings> = {}) => providerOn(stub, changes);

// Rule: SUBS-17
describe('a customer’s subscriptions', () => {
  it('are those of this installation, the oldest first, with what was paid and paid back', async () => {
    stub.answer(
      'GET /v1/refunds',
      list({ amount: 1_000, status: 'succeeded' }, { amount: 5, status: 'failed' }),
    );
    stub.answer(
      'GET /v1/subscriptions',
      list(
        subscription({ id: 'sub_2', created: SECONDS, latest_invoice: null }),
        subscription({ id: 'sub_foreign', metadata: {} }),
        subscription({ id: 'sub_staging', metadata: { ...MARKS, pulso_installation: 'staging' } }),
        subscription({ id: 'sub_old', status: 'canceled', ended_at: SECONDS - 91 * DAY }),
        subscription(),
      ),
    );
    const found = await providerWith().subscriptionsOf('cus_1', signal());
    expect(found.map(({ id }) => id)).toEqual(['sub_1', 'sub_2']);
    expect(found[0]).toEqual({
      id: 'sub_1',
      customerId: 'cus_1',
      pair: PAIR,
      priceCoachId: null,
      status: 'active',
      amountMinor: 40_000,
      currency: 'MXN',
      createdAt: NOW - DAY * 1000,
      currentPeriodStart: NOW - DAY * 1000,
      currentPeriodEnd: NOW + 29 * DAY * 1000,
      cancelAtPeriodEnd: false,
      endedAt: null,
      unpaidSince: null,
      latestPayment: {
        ...{ id: 'in_1', paymentId: 'pi_1', paidMinor: 40_000, refundedMinor: 1_000 },
        ...{ periodStart: NOW - DAY * 1000, periodEnd: NOW + 29 * DAY * 1000 },
      },
      disputes: [],
    });
    expect(stub.last('GET /v1/subscriptions')!.form).toMatchObject({ customer: 'cus_1', status: 'all' });
  });

  // Rule: SUBS-9
  it('tell whose price is paid, by the marks of this installation alone', async () => {
    const priced = (id: string, metadata: object) => {
      const { items, ...one } = subscription({ id, latest_invoice: null });
      const [item] = items.data;
      return { ...one, items: { data: [{ ...item, price: { unit_amount: 1_000, metadata } }] } };
    };
    stub.answer(
      'GET /v1/subscriptions',
      list(
        priced('sub_own', { pulso_installation: 'pulso', pulso_coach: 'carla' }),
        priced('sub_cheap', { pulso_installation: 'pulso', pulso_coach: 'mike' }),
        priced('sub_staging', { pulso_installation: 'staging', pulso_coach: 'mike' }),
        priced('sub_bare', {}),
      ),
    );
    const found = await providerWith().subscriptionsOf('cus_1', signal());
    expect(found.map(({ id, priceCoachId }) => [id, priceCoachId])).toEqual([
      ...[
        ['sub_own', 'carla'],
        ['sub_cheap', 'mike'],
      ],
      ...[
        ['sub_staging', null],
        ['sub_bare', null],
      ],
    ]);
  });

  it('are unpaid since the oldest invoice that is open', async () => {
    const unpaid = {
      amount_paid: 0,
      payments: { data: [] },
      lines: { data: [] },
      period_start: 1,
      period_end: 2,
    };
    const behind = subscription({
      status: 'past_due',
      latest_invoice: { id: 'in_2', created: SECONDS, ...unpaid },
    });
    stub.answer('GET /v1/subscriptions', list(behind));
    stub.answer('GET /v1/invoices', list({ created: SECONDS }, { created: SECONDS - 3 * DAY }));
    const [found] = await providerWith().subscriptionsOf('cus_1', signal());
    expect(found).toMatchObject({
      ...{ status: 'past_due', unpaidSince: NOW - 3 * DAY * 1000 },
      latestPayment: { id: 'in_2', paymentId: null, paidMinor: 0, refundedMinor: 0 },
    });
  });

  // Rule: SUBS-9
  it('whose collection is paused are active, and nothing is missing or paid back', async () => {
    const paused = (id: string, status: string) =>
      subscription({
        ...{ id, pause_collection: { behavior: 'void', resumes_at: null } },
        latest_invoice: {
          id: 'in_2',
          status,
          created: SECONDS,
          amount_paid: 0,
          payments: { data: [] },
          lines: { data: [] },
        },
      });
    const states = ['void', 'uncollectible', 'draft'];
    stub.answer('GET /v1/subscriptions', list(...states.map((state) => paused(`sub_${state}`, state))));
    const found = await providerWith().subscriptionsOf('cus_1', signal());
    expect(found.map(({ id }) => id)).toEqual(states.map((state) => `sub_${state}`));
    for (const each of found)
      expect(each).toMatchObject({
        ...{ status: 'active', unpaidSince: null, currentPeriodEnd: NOW + 29 * DAY * 1000 },
        latestPayment: { paymentId: null, paidMinor: 0 },
      });
  });

  it('come page by page for the comparison at night', async () => {
    stub.answer('GET /v1/refunds', list());
    stub.answer(
      'GET /v1/subscriptions',
      { json: { ...list(subscription()).json, has_more: true } },
      list(subscription({ id: 'sub_2', status: 'unpaid' })),
    );
    stub.answer('GET /v1/invoices', list());
    const ids = [];
    for await (const { id, status } of providerWith().liveSubscriptions(null, signal()))
      ids.push([id, status]);
    expect(ids).toEqual([
      ['sub_1', 'active'],
      ['sub_2', 'past_due'],
    ]);
  });
});

// Rule: SUBS-17
describe('an event', () => {
  const { webhooks } = new Stripe('sk_test_1');
  const signed = (event: object, secret: string, at = Math.floor(Date.now() / 1000)) => {
    const payload = JSON.stringify(event);
    const signature = webhooks.generateTestHeaderString({ payload, secret, timestamp: at });
    return { body: Buffer.from(payload), signature };
  };
  const event = (changes: object = {}) => ({
    ...{
      id: 'evt_1',
      object: 'event',
      type: 'customer.subscription.updated',
      created: SECONDS,
      livemode: false,
    },
    data: { object: { id: 'sub_1', object: 'subscription', customer: 'cus_1' } },
    ...changes,
  });
  const read = (given: object, secret: string, at?: number) => {
    const { body, signature } = signed(given, secret, at);
    return providerWith().readEvent(body, signature);
  };

  it.each(['whsec_old', 'whsec_new', 'whsec_connect'])('is read with the secret %s', (secret) => {
    expect(read(event(), secret)).toEqual({
      ...{ id: 'evt_1', type: 'customer.subscription.updated', account: null, createdAt: NOW },
      ...{ customerId: 'cus_1', accountId: null, disputeId: null },
    });
  });

  it('names whom to read again: a customer of the platform’s or of a coach’s account, or an account', () => {
    const customer = { object: { id: 'cus_2', object: 'customer' } };
    expect(read(event({ type: 'customer.deleted', data: customer }), 'whsec_old')).toMatchObject({
      ...{ customerId: 'cus_2', accountId: null },
    });
    const account = { object: { id: 'acct_1', object: 'account' } };
    const updated = event({ type: 'account.updated', account: 'acct_1', data: account });
    expect(read(updated, 'whsec_connect')).toMatchObject({ customerId: null, accountId: 'acct_1' });
    expect(read(event({ account: 'acct_1' }), 'whsec_connect')).toMatchObject({
      ...{ account: 'acct_1', customerId: 'acct_1/cus_1', accountId: null },
    });
  });

  // Rule: SUBS-34
  it('of a dispute names it, with the account that it is on', () => {
    const data = { object: { id: 'dp_1', object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1' } };
    const created = event({ type: 'charge.dispute.created', data });
    expect(read(created, 'whsec_old')).toMatchObject({
      customerId: null,
      accountId: null,
      disputeId: 'dp_1',
    });
    expect(read({ ...created, account: 'acct_1' }, 'whsec_connect')).toMatchObject({
      disputeId: 'acct_1/dp_1',
    });
  });

  // Rule: SUBS-16
  it('that is thin names the account that is to be read again, whatever it says of it', () => {
    const thin = (changes: object = {}) => ({
      ...{ id: 'evt_2', object: 'v2.core.event', created: '2026-11-28T12:00:00.000Z', livemode: false },
      type: 'v2.core.account[configuration.recipient].capability_status_updated',
      related_object: { id: 'acct_1', type: 'v2.core.account', url: '/v2/core/accounts/acct_1' },
      ...changes,
    });
    expect(read(thin(), 'whsec_connect')).toEqual({
      ...{ id: 'evt_2', account: 'acct_1', createdAt: NOW, customerId: null, accountId: 'acct_1' },
      ...{ disputeId: null, type: thin().type },
    });
    const person = { related_object: { id: 'person_1', type: 'v2.core.account_person', url: '/' } };
    for (const other of [person, { related_object: null }])
      expect(read(thin(other), 'whsec_connect')).toMatchObject({ id: 'evt_2', accountId: null });
    const now = Math.floor(Date.now() / 1000);
    expect(read(thin(), 'whsec_stolen')).toBeUndefined();
    expect(read(thin(), 'whsec_connect', now - 301)).toBeUndefined();
    expect(read(thin({ livemode: true }), 'whsec_connect')).toBeUndefined();
  });

  it('is none where secret, age, mode, body or signature is not right', () => {
    const now = Math.floor(Date.now() / 1000);
    expect(read(event(), 'whsec_stolen')).toBeUndefined();
    expect(read(event(), 'whsec_old', now - 301)).toBeUndefined();
    expect(read(event({ livemode: true }), 'whsec_old')).toBeUndefined();
    const { body, signature } = signed(event(), 'whsec_old');
    const provider = providerWith();
    expect(provider.readEvent(Buffer.concat([body, Buffer.from(' ')]), signature)).toBeUndefined();
    for (const wrong of ['', 'nonsense', 't=1', `${signature.split(',')[0]},v1=00`])
      expect(provider.readEvent(body, wrong)).toBeUndefined();
    const broken = signed(event(), 'whsec_old');
    expect(provider.readEvent(Buffer.alloc(0), broken.signature)).toBeUndefined();
    const live = providerWith({ secretKey: 'sk_live_1' });
    expect(live.readEvent(body, signature)).toBeUndefined();
    const real = signed(event({ livemode: true }), 'whsec_old');
    expect(live.readEvent(real.body, real.signature)).toMatchObject({ id: 'evt_1' });
  });
});

// Rule: SUBS-19, SUBS-20
it('opens the pages of accounts and customers', async () => {
  const provider = providerWith();
  stub.answer('POST /v1/account_links', { json: { url: 'https://pay.example/1' } });
  stub.answer('POST /v1/billing_portal/sessions', { json: { url: 'https://pay.example/2' } });
  stub.answer('POST /v1/accounts/acct_1/login_links', { json: { url: 'https://pay.example/3' } });
  stub.answer('GET /v1/accounts/acct_1', { json: { id: 'acct_1', capabilities: { transfers: 'active' } } });
  const to = { accountId: 'acct_1', refreshUrl: 'https://p.example/1', returnUrl: 'https://p.example/2' };
  expect(await provider.openOnboarding(to, signal())).toBe('https://pay.example/1');
  expect(stub.last('POST /v1/account_links')!.form).toEqual({
    ...{ account: 'acct_1', type: 'account_onboarding' },
    ...{ refresh_url: 'https://p.example/1', return_url: 'https://p.example/2' },
  });
  const portal = { customerId: 'cus_1', returnUrl: 'https://p.example/' };
  expect(await provider.openPortal(portal, signal())).toBe('https://pay.example/2');
  expect(await provider.openPayoutDashboard('acct_1', signal())).toBe('https://pay.example/3');
  expect(await provider.account('acct_1', signal())).toEqual({ id: 'acct_1', isReady: true });
  stub.answer('GET /v1/accounts/acct_2', { status: 404, json: { error: { type: 'invalid_request_error' } } });
  const failed = await provider
    .account('acct_2', signal())
    .catch((error: unknown) => provider.failureOf(error));
  expect(failed).toBe('refused');
});
