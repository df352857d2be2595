import type { CallContext, PaymentProvider } from '../src/provider/payment-provider.js';
import { list, NOW, providerOn, signal } from './support/on-stub.js';
import { StripeStub } from './support/stripe-stub.js';

// Rule: SUBS-16, SUBS-19. With STRIPE_ACCOUNTS=v2 coaches' accounts are made and read by v2.

let stub: StripeStub;
beforeAll(async () => (stub = await StripeStub.start()));
beforeEach(() => stub.reset());
afterAll(() => stub?.stop());

const V2 = { accounts: 'v2', accountsCountry: 'mx' } as const;
const providers = {
  v1: () => providerOn(stub),
  v2: () => providerOn(stub, V2),
};
const context: CallContext = { key: 'a key', apiVersion: '2026-10-28.endive', signal: signal() };
const asked = () => stub.requests.map(({ method, path }) => `${method} ${path}`);

const MARKS = { pulso_installation: 'pulso', pulso_coach: 'carla' };
const account = (transfers?: string, cards?: string, changes: object = {}) => ({
  ...{ id: 'acct_1', object: 'v2.core.account', created: new Date(NOW).toISOString(), metadata: MARKS },
  configuration: {
    merchant: cards === undefined ? null : { capabilities: { card_payments: { status: cards } } },
    recipient:
      transfers === undefined
        ? null
        : { capabilities: { stripe_balance: { stripe_transfers: { status: transfers } } } },
  },
  ...changes,
});
const ofV1 = { id: 'acct_1', object: 'account', capabilities: { transfers: 'active' }, metadata: MARKS };
const refusal = (code: string) => ({ status: 400, json: { error: { code, message: 'no' } } });

/** The call as it comes back from the store. */
function stored({ calls }: PaymentProvider) {
  const rendered = JSON.parse(JSON.stringify(calls.createAccount.render({ coachId: 'carla' }))) as object;
  return rendered as ReturnType<typeof calls.createAccount.render>;
}

describe('an account', () => {
  it('is made with Stripe’s pages, for both kinds of charges, in the country of the setting', async () => {
    stub.answer('POST /v2/core/accounts', { json: account('restricted', 'restricted') });
    for (const charges of ['destination', 'direct'] as const) {
      const provider = providerOn(stub, { ...V2, charges });
      const made = await provider.calls.createAccount.make(stored(provider), context);
      expect(made).toEqual({ id: 'acct_1', isReady: false });
      const { text, headers } = stub.last('POST /v2/core/accounts')!;
      expect(JSON.parse(text)).toEqual({
        dashboard: 'express',
        identity: { country: 'mx' },
        configuration: {
          merchant: { capabilities: { card_payments: { requested: true } } },
          recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
        },
        defaults: {
          responsibilities: { fees_collector: 'application_express', losses_collector: 'application' },
        },
        metadata: MARKS,
        include: ['configuration.merchant', 'configuration.recipient'],
      });
      expect(headers).toMatchObject({
        ...{ 'idempotency-key': 'a key', 'stripe-version': '2026-10-28.endive' },
        'content-type': 'application/json',
      });
    }
  });

  it.each([
    ['destination', 'active', 'restricted', true],
    ['destination', 'active', undefined, true],
    ['destination', 'pending', 'active', false],
    ['destination', undefined, 'active', false],
    ['direct', 'active', 'active', true],
    ['direct', 'active', 'restricted', false],
    ['direct', 'active', undefined, false],
    ['direct', 'unsupported', 'active', false],
  ] as const)(
    'is ready for %s charges by what Stripe says of transfers and cards (%s, %s)',
    async (charges, transfers, cards, isReady) => {
      stub.answer('GET /v2/core/accounts/acct_1', { json: account(transfers, cards) });
      const provider = providerOn(stub, { ...V2, charges });
      expect(await provider.account('acct_1', signal())).toEqual({ id: 'acct_1', isReady });
      expect(Object.values(stub.last('GET /v2/core/accounts/acct_1')!.form)).toEqual([
        'configuration.merchant',
        'configuration.recipient',
      ]);
    },
  );

  it('has Stripe’s page to set it up, and v1’s page of its payouts', async () => {
    stub.answer('POST /v2/core/account_links', { json: { url: 'https://pay.example/1' } });
    stub.answer('POST /v1/accounts/acct_1/login_links', { json: { url: 'https://pay.example/2' } });
    const to = { accountId: 'acct_1', refreshUrl: 'https://p.example/1', returnUrl: 'https://p.example/2' };
    expect(await providers.v2().openOnboarding(to, signal())).toBe('https://pay.example/1');
    expect(JSON.parse(stub.last('POST /v2/core/account_links')!.text)).toEqual({
      account: 'acct_1',
      use_case: {
        type: 'account_onboarding',
        account_onboarding: { refresh_url: 'https://p.example/1', return_url: 'https://p.example/2' },
      },
    });
    expect(await providers.v2().openPayoutDashboard('acct_1', signal())).toBe('https://pay.example/2');
  });

  it('that was made is found by its marks on any page of the list, if it is young enough', async () => {
    const old = account(undefined, undefined, { id: 'acct_0', created: '2026-11-26T00:00:00.000Z' });
    const other = account(undefined, undefined, { id: 'acct_2', metadata: { pulso_coach: 'mike' } });
    const next = '/v2/core/accounts?limit=100&page=two';
    const made = account(undefined, undefined, { configuration: null });
    const pages = (...last: object[]) => [
      { json: { data: [old, other], next_page_url: next } },
      { json: { data: last, next_page_url: null } },
    ];
    const provider = providers.v2();
    stub.answer('GET /v2/core/accounts', ...pages(made));
    stub.answer('GET /v2/core/accounts/acct_1', { json: account('active', 'active') });
    expect(await provider.calls.createAccount.find(stored(provider), context)).toEqual({
      ...{ id: 'acct_1', isReady: true },
    });
    stub.answer('GET /v2/core/accounts', ...pages());
    expect(await provider.calls.createAccount.find(stored(provider), context)).toBeUndefined();
  });
});

describe('after a change of the setting', () => {
  it.each(['account_not_yet_compatible_with_v2', 'v1_account_instead_of_v2_account'])(
    'an account of v1 is read and set up by v1 where v2 does not have it (%s)',
    async (code) => {
      stub.answer('GET /v2/core/accounts/acct_1', refusal(code));
      stub.answer('POST /v2/core/account_links', refusal(code));
      stub.answer('GET /v1/accounts/acct_1', { json: ofV1 });
      stub.answer('POST /v1/account_links', { json: { url: 'https://pay.example/1' } });
      expect(await providers.v2().account('acct_1', signal())).toEqual({ id: 'acct_1', isReady: true });
      const to = { accountId: 'acct_1', refreshUrl: 'https://p.example/1', returnUrl: 'https://p.example/2' };
      expect(await providers.v2().openOnboarding(to, signal())).toBe('https://pay.example/1');
    },
  );

  it('an account of v2 is read by v1, which has all accounts', async () => {
    stub.answer('GET /v1/accounts/acct_1', { json: ofV1 });
    expect(await providers.v1().account('acct_1', signal())).toEqual({ id: 'acct_1', isReady: true });
    expect(asked()).toEqual(['GET /v1/accounts/acct_1']);
  });

  it.each([
    ['v1', 'v2', 'POST /v1/accounts', 'GET /v1/accounts'],
    ['v2', 'v1', 'POST /v2/core/accounts', 'GET /v2/core/accounts'],
  ] as const)('a call that %s has stored goes on there', async (before, after, post, get) => {
    const waiting = stored(providers[before]());
    const { createAccount } = providers[after]().calls;
    stub.answer(post, { json: before === 'v1' ? ofV1 : account('active', 'active') });
    expect(await createAccount.make(waiting, context)).toEqual({ id: 'acct_1', isReady: true });
    stub.answer(get, before === 'v1' ? list() : { json: { data: [], next_page_url: null } });
    expect(await createAccount.find(waiting, context)).toBeUndefined();
    expect(asked()).toEqual([post, get]);
  });
});

describe('what v2 answers', () => {
  const failing = (provider: PaymentProvider) =>
    provider.account('acct_1', signal()).catch((error: unknown) => provider.failureOf(error));

  it.each([
    [400, { code: 'accounts_v2_access_blocked' }, 'refused'],
    [400, { code: 'identity_country_required' }, 'refused'],
    [404, { code: 'not_found' }, 'refused'],
    [401, { code: 'unauthorized' }, 'not-executed'],
    [429, { type: 'rate_limit', code: 'account_rate_limit_exceeded' }, 'not-executed'],
    [400, { type: 'idempotency_error' }, 'unknown'],
    [409, { code: 'lock_timeout' }, 'unknown'],
    [500, {}, 'failed'],
  ])('with %s %j is taken as it is meant', async (status, error, is) => {
    stub.answer('GET /v2/core/accounts/acct_1', { status, json: { error: { message: 'no', ...error } } });
    expect(await failing(providers.v2())).toBe(is);
    expect(asked()).toEqual(['GET /v2/core/accounts/acct_1']);
  });
});
