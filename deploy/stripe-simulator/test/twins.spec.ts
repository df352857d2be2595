import { anAccountV2, anOnboardingV2, PAIR, SHOWN_V2, start } from './support/start.js';

/**
 * What billing asks of Stripe and can be asked without a browser. Where a twin is given (`twinOf`), each request is sent to it, too, and
 * its answers must be those of the simulator. Everything that is made carries names of its own: Stripe's test mode keeps it.
 */
const unique = () => `twin-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

const once = () => ({ idempotencyKey: unique() });
const refusal = { type: expect.stringContaining('Stripe') };

describe('the same requests, here and at the twin', () => {
  it('customers: made once, read, changed, found by the newest, removed', async () => {
    const { stripe } = await start();
    const [key, installation] = [once(), unique()];
    const metadata = { ...PAIR, pulso_installation: installation };
    const made = await stripe.customers.create({ metadata }, key);
    expect((await stripe.customers.create({ metadata }, key)).id).toBe(made.id);
    await expect(stripe.customers.create({ name: 'other' }, key)).rejects.toMatchObject(refusal);
    await stripe.customers.update(made.id, { metadata: { pulso_user: '' } });
    await stripe.customers.retrieve(made.id);
    const { data } = await stripe.customers.list({ limit: 1 });
    expect(data[0]!.metadata).toMatchObject({ pulso_installation: installation });
    await stripe.customers.del(made.id);
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ deleted: true });
    await expect(stripe.customers.update(made.id, {})).rejects.toMatchObject(refusal);
  });

  it('prices: one for a lookup key', async () => {
    const { stripe } = await start();
    const price = {
      ...{ currency: 'usd', unit_amount: 1000, recurring: { interval: 'month' as const } },
      ...{ lookup_key: unique(), product_data: { name: 'Coach Carla' } },
    };
    const made = await stripe.prices.create(price, once());
    await expect(stripe.prices.create(price, once())).rejects.toMatchObject({ param: 'lookup_key' });
    const { data } = await stripe.prices.list({ lookup_keys: [price.lookup_key], limit: 1 });
    expect(data.map(({ id }) => id)).toEqual([made.id]);
    await expect(stripe.prices.create({ ...price, unit_amount: -1 }, once())).rejects.toMatchObject(refusal);
  });

  it('accounts for payouts: made, not ready, with a link to set them up', async () => {
    const { stripe } = await start();
    const capabilities = { card_payments: { requested: true }, transfers: { requested: true } };
    const { id } = await stripe.accounts.create({ type: 'express', capabilities, metadata: PAIR }, once());
    expect((await stripe.accounts.retrieve(id)).capabilities).toMatchObject({ transfers: 'inactive' });
    const back = { refresh_url: 'https://pulso.example/a', return_url: 'https://pulso.example/b' };
    await stripe.accountLinks.create({ account: id, type: 'account_onboarding', ...back });
    await expect(stripe.accounts.createLoginLink(id)).rejects.toMatchObject(refusal);
  });

  it('accounts for payouts by v2: made once, not ready, with a link to set them up', async () => {
    const { stripe } = await start();
    const key = once();
    const made = await stripe.v2.core.accounts.create(anAccountV2(), key);
    expect((await stripe.v2.core.accounts.create(anAccountV2(), key)).id).toBe(made.id);
    const { configuration } = await stripe.v2.core.accounts.retrieve(made.id, { include: SHOWN_V2 });
    expect(configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status).not.toBe(
      'active',
    );
    await stripe.v2.core.accountLinks.create(anOnboardingV2(made.id));
    await stripe.accounts.retrieve(made.id);
    await expect(stripe.v2.core.accounts.retrieve('acct_none')).rejects.toMatchObject(refusal);
  });

  it('a checkout: opened, read, closed, and not closed twice', async () => {
    const { stripe } = await start();
    const customer = await stripe.customers.create({ metadata: PAIR }, once());
    const price = await stripe.prices.create(
      {
        ...{ currency: 'usd', unit_amount: 1000, recurring: { interval: 'month' } },
        product_data: { name: 'Coach Carla' },
      },
      once(),
    );
    const asked = {
      ...{ mode: 'subscription' as const, customer: customer.id, metadata: PAIR },
      ...{ success_url: 'https://pulso.example/?done', cancel_url: 'https://pulso.example/?left' },
      ...{ line_items: [{ price: price.id, quantity: 1 }], subscription_data: { metadata: PAIR } },
    };
    const { id } = await stripe.checkout.sessions.create(asked, once());
    await stripe.checkout.sessions.retrieve(id);
    await stripe.checkout.sessions.list({ customer: customer.id });
    await stripe.checkout.sessions.expire(id, {}, once());
    await expect(stripe.checkout.sessions.expire(id, {}, once())).rejects.toMatchObject(refusal);
    await stripe.subscriptions.list({
      customer: customer.id,
      status: 'all',
      expand: ['data.latest_invoice'],
    });
    await expect(stripe.checkout.sessions.create({ ...asked, expires_at: 1 }, once())).rejects.toMatchObject(
      refusal,
    );
  });

  it('what is not there is refused', async () => {
    const { stripe } = await start();
    await expect(stripe.subscriptions.retrieve('sub_none')).rejects.toMatchObject({
      code: 'resource_missing',
    });
    await expect(stripe.subscriptions.cancel('sub_none')).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(
      stripe.refunds.create({ payment_intent: 'pi_none', amount: 1 }, once()),
    ).rejects.toMatchObject({ code: 'resource_missing' });
  });
});
