import { aReadyAccount, start } from './support/start.js';

describe('an account', () => {
  it('cannot be paid until it is onboarded, and the platform hears of that', async () => {
    const { simulator, stripe, receiver } = await start();
    const account = await stripe.accounts.create({
      type: 'express',
      country: 'MX',
      email: 'coach@example.com',
      capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
    });
    expect(account).toMatchObject({
      charges_enabled: false,
      details_submitted: false,
      payouts_enabled: false,
      capabilities: { transfers: 'inactive' },
      default_currency: 'mxn',
    });
    await expect(stripe.accounts.createLoginLink(account.id)).rejects.toThrow('has not completed onboarding');

    simulator.controls.onboard(account.id);
    expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
      charges_enabled: true,
      details_submitted: true,
      payouts_enabled: true,
      capabilities: { transfers: 'active', card_payments: 'active' },
      requirements: { currently_due: [] },
    });
    expect(await receiver.seen('account.updated')).toMatchObject({
      account: account.id,
      data: { object: { id: account.id, payouts_enabled: true } },
    });

    simulator.controls.onboard(account.id, false);
    expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
      payouts_enabled: false,
      requirements: { disabled_reason: 'requirements.past_due' },
    });
  });

  it('can be made by a controller, and is one of the list', async () => {
    const { stripe } = await start();
    const { id } = await stripe.accounts.create({
      controller: {
        fees: { payer: 'application' },
        losses: { payments: 'application' },
        stripe_dashboard: { type: 'express' },
      },
    });
    expect((await stripe.accounts.list()).data.map((one) => one.id)).toEqual([id]);
    await expect(stripe.accounts.retrieve('acct_none')).rejects.toMatchObject({ code: 'account_invalid' });
    await expect(stripe.accounts.create({ type: 'standard' })).rejects.toMatchObject({ param: 'type' });
    expect(await stripe.accounts.update(id, { metadata: { a: 'b' } })).toMatchObject({
      metadata: { a: 'b' },
    });
  });

  it('tells which one a key belongs to', async () => {
    const started = await start();
    const id = await aReadyAccount(started);
    expect(await started.stripe.accounts.retrieveCurrent()).toMatchObject({
      object: 'account',
      country: 'MX',
    });
    expect(await started.stripe.accounts.retrieveCurrent({}, { stripeAccount: id })).toMatchObject({ id });
  });
});
