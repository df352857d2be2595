import Stripe from 'stripe';
import {
  aCheckout,
  anAccountV2,
  anOnboardingV2,
  aReadyAccount,
  SHOWN_V2,
  start,
  type Started,
} from './support/start.js';

const MINUTE_MS = 60_000;
const once = { idempotencyKey: 'a key' };

const statuses = ({ configuration }: Stripe.V2.Core.Account) => [
  configuration?.merchant?.capabilities?.card_payments?.status,
  configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status,
];
const create = ({ stripe }: Started, changes?: Stripe.V2.Core.AccountCreateParams) =>
  stripe.v2.core.accounts.create(anAccountV2(changes));
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    (error: Stripe.errors.StripeError) => `${error.statusCode} ${error.code}`,
  );

describe('an account by v2', () => {
  it('is made once for a key, and shows the configurations that are asked for', async () => {
    const { stripe } = await start();
    const made = await stripe.v2.core.accounts.create(anAccountV2(), once);
    expect(made).toMatchObject({
      ...{ object: 'v2.core.account', dashboard: 'express', livemode: false, closed: false },
      applied_configurations: ['merchant', 'recipient'],
      metadata: { pulso_coach: 'coach-1' },
    });
    expect(statuses(made)).toEqual(['restricted', 'restricted']);
    expect((await stripe.v2.core.accounts.create(anAccountV2(), once)).id).toBe(made.id);
    await expect(
      stripe.v2.core.accounts.create(anAccountV2({ identity: { country: 'us' } }), once),
    ).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(await stripe.v2.core.accounts.retrieve(made.id)).toMatchObject({ configuration: null });
    const [merchant] = SHOWN_V2;
    expect(statuses(await stripe.v2.core.accounts.retrieve(made.id, { include: [merchant!] }))).toEqual([
      'restricted',
      undefined,
    ]);
  });

  it('is set up on the same page, tells so in thin events, and is one of v1’s, too', async () => {
    const started = await start();
    const { stripe, receiver } = started;
    const { id } = await create(started);
    const { url } = await stripe.v2.core.accountLinks.create(anOnboardingV2(id));
    const { url: form } = await fetch(url);
    await fetch(form, { method: 'POST', redirect: 'manual' });
    expect(statuses(await stripe.v2.core.accounts.retrieve(id, { include: SHOWN_V2 }))).toEqual([
      'active',
      'active',
    ]);
    for (const type of [
      'v2.core.account[configuration.merchant].capability_status_updated',
      'v2.core.account[configuration.recipient].capability_status_updated',
      'v2.core.account[requirements].updated',
    ])
      expect(await receiver.noticed(type)).toMatchObject({
        livemode: false,
        related_object: { id, type: 'v2.core.account' },
      });
    expect(receiver.types).toEqual([]);
    expect((await stripe.events.list()).data).toEqual([]);
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      capabilities: { transfers: 'active', card_payments: 'active' },
    });
    expect(await (await fetch((await stripe.accounts.createLoginLink(id)).url)).text()).toContain('Balance');
    expect(await aCheckout(started, { account: id })).toMatchObject({ status: 'open' });
  });

  it('is listed a page after the other, the newest first', async () => {
    const started = await start();
    const ids = [];
    for (let made = 0; made < 5; made += 1) ids.unshift((await create(started)).id);
    const listed = [];
    for await (const { id } of started.stripe.v2.core.accounts.list({ limit: 2 })) listed.push(id);
    expect(listed).toEqual(ids);
  });

  it('is refused as Stripe refuses it', async () => {
    const started = await start();
    const { stripe, simulator } = started;
    const { configuration } = anAccountV2();
    expect(await refusal(create(started, { identity: {} }))).toBe('400 identity_country_required');
    const { recipient } = configuration!;
    expect(await refusal(create(started, { configuration: { recipient } }))).toBe(
      '400 capability_not_available_without_other_capability',
    );
    expect(await refusal(create(started, { defaults: {} }))).toBe('400 invalid_fields');
    expect(await refusal(create(started, { dashboard: 'full' }))).toBe('400 invalid_fields');
    expect(await refusal(stripe.v2.core.accounts.retrieve('acct_none'))).toBe('404 not_found');
    simulator.controls.addFault({ kind: 'status', status: 429, path: '/v2' });
    await expect(stripe.v2.core.accounts.list()).rejects.toBeInstanceOf(Stripe.errors.RateLimitError);
    const bare = { headers: { authorization: 'Bearer sk_test_simulator' } };
    expect((await fetch(`${simulator.url}/v2/core/accounts`, bare)).status).toBe(400);
  });
});

it('an account by v1 is known to v2 ten minutes later', async () => {
  const started = await start();
  const { stripe, simulator } = started;
  const id = await aReadyAccount(started);
  const notYet = '400 account_not_yet_compatible_with_v2';
  expect(await refusal(stripe.v2.core.accounts.retrieve(id))).toBe(notYet);
  expect(await refusal(stripe.v2.core.accountLinks.create(anOnboardingV2(id)))).toBe(notYet);
  simulator.controls.advance(10 * MINUTE_MS);
  expect(statuses(await stripe.v2.core.accounts.retrieve(id, { include: SHOWN_V2 }))).toEqual([
    'active',
    'active',
  ]);
  expect(await refusal(stripe.v2.core.accountLinks.create(anOnboardingV2(id)))).toBe('none');
});
