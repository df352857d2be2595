import { loadConfig } from '@pulso/platform/process/load-config';
import { settingsFrom } from '@pulso/platform/process/settings';
import { z } from 'zod';
import { BillingSettings, stripeSettingsOf } from './settings.js';

const read = (env: Record<string, string>) =>
  settingsFrom(BillingSettings, loadConfig(z.object(BillingSettings.shape), env)) as BillingSettings;

const stripe = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_1a',
  STRIPE_WEBHOOK_SECRETS: 'whsec_old, whsec_new',
  STRIPE_CONNECT_WEBHOOK_SECRETS: 'whsec_connect',
};
const simulator = { ...stripe, PAYMENTS: 'simulator', STRIPE_API_URL: 'http://127.0.0.1:12111/' };
const v2 = { STRIPE_ACCOUNTS: 'v2', STRIPE_ACCOUNTS_COUNTRY: 'MX' };
const production = { ...stripe, NODE_ENV: 'production', STRIPE_SECRET_KEY: 'rk_live_1a' };

// Rule: SUBS-1
describe('PAYMENTS', () => {
  it('may be none, and need not be said in development', () => {
    expect(read({ PAYMENTS: 'none', NODE_ENV: 'production' })).toMatchObject({ PAYMENTS: 'none' });
    expect(read({}).constructor).toBe(BillingSettings);
    for (const given of [read({ PAYMENTS: 'none' }), read({})])
      expect(stripeSettingsOf(given)).toBeUndefined();
  });

  it('must be said in production', () => {
    expect(() => read({ NODE_ENV: 'production' })).toThrow('PAYMENTS: must be set');
    expect(() => read({ NODE_ENV: 'production', PAYMENTS: '' })).toThrow('PAYMENTS: must be set');
    expect(() => read({ PAYMENTS: 'free' })).toThrow('PAYMENTS: must be none');
  });

  it('may be stripe, with its keys and secrets', () => {
    expect(stripeSettingsOf(read(stripe))).toEqual({
      secretKey: 'sk_test_1a',
      webhookSecrets: ['whsec_old', 'whsec_new'],
      connectWebhookSecrets: ['whsec_connect'],
      apiUrl: undefined,
      charges: 'destination',
      accounts: 'v1',
      accountsCountry: undefined,
      feePercent: 0,
      installation: 'pulso',
    });
    expect(read(production)).toMatchObject({ PAYMENTS: 'stripe' });
  });

  // Rule: SUBS-16
  it('makes destination charges, or direct ones', () => {
    for (const charges of ['destination', 'direct'])
      expect(stripeSettingsOf(read({ ...stripe, STRIPE_CHARGES: charges }))).toMatchObject({ charges });
  });

  // Rule: SUBS-16
  it('makes accounts by v1, or by v2 in a country', () => {
    const { STRIPE_CONNECT_WEBHOOK_SECRETS: secret } = stripe;
    const both = { ...stripe, ...v2, STRIPE_CONNECT_WEBHOOK_SECRETS: `${secret},whsec_thin` };
    for (const given of [both, { ...simulator, ...v2 }])
      expect(stripeSettingsOf(read(given))).toMatchObject({ accounts: 'v2', accountsCountry: 'mx' });
    expect(() => read({ ...stripe, ...v2 })).toThrow(
      'STRIPE_CONNECT_WEBHOOK_SECRETS: with STRIPE_ACCOUNTS=v2 it must have the secret for thin events, too',
    );
  });

  it('may be simulator outside of production', () => {
    expect(stripeSettingsOf(read(simulator))).toMatchObject({ apiUrl: 'http://127.0.0.1:12111' });
    expect(() => read({ ...simulator, NODE_ENV: 'production' })).toThrow(
      'PAYMENTS: simulator takes no money',
    );
  });
});

// Rule: SUBS-1, SUBS-2
describe('a wrong setting of Stripe', () => {
  it.each([
    [stripe, 'STRIPE_SECRET_KEY', ''],
    [stripe, 'STRIPE_SECRET_KEY', 'pk_test_1a'],
    [stripe, 'STRIPE_WEBHOOK_SECRETS', ''],
    [stripe, 'STRIPE_WEBHOOK_SECRETS', 'whsec_a,whsec_b,whsec_c'],
    [stripe, 'STRIPE_WEBHOOK_SECRETS', 'whsec_a,'],
    [stripe, 'STRIPE_CONNECT_WEBHOOK_SECRETS', ''],
    [stripe, 'STRIPE_CONNECT_WEBHOOK_SECRETS', 'secret'],
    [stripe, 'STRIPE_API_URL', 'http://127.0.0.1:12111'],
    [stripe, 'STRIPE_CHARGES', 'separate'],
    [stripe, 'STRIPE_ACCOUNTS', 'express'],
    [stripe, 'STRIPE_ACCOUNTS_COUNTRY', 'Mexico'],
    [{ ...simulator, ...v2 }, 'STRIPE_ACCOUNTS_COUNTRY', ''],
    [stripe, 'STRIPE_CONNECT_WEBHOOK_SECRETS', 'whsec_a,whsec_b,whsec_c,whsec_d,whsec_e'],
    [stripe, 'STRIPE_FEE_PERCENT', '51'],
    [stripe, 'STRIPE_FEE_PERCENT', 'much'],
    [stripe, 'STRIPE_INSTALLATION', 'my pulso'],
    [production, 'STRIPE_SECRET_KEY', 'sk_test_1a'],
    [simulator, 'STRIPE_SECRET_KEY', 'sk_live_1a'],
    [simulator, 'STRIPE_SECRET_KEY', 'rk_live_1a'],
    [simulator, 'STRIPE_API_URL', ''],
    [simulator, 'STRIPE_API_URL', 'simulator'],
  ])('is named in one line, without its value (%#)', (env, name, value) => {
    const refused = () => read({ ...env, [name]: value });
    expect(refused).toThrow(`${name}: `);
    if (value !== '') expect(refused).not.toThrow(`${value};`);
  });

  it('is named with the others', () => {
    expect(() => read({ PAYMENTS: 'stripe' })).toThrow(
      'STRIPE_SECRET_KEY: must be set with PAYMENTS=stripe; STRIPE_WEBHOOK_SECRETS: must be set with PAYMENTS=stripe; ' +
        'STRIPE_CONNECT_WEBHOOK_SECRETS: must be set with PAYMENTS=stripe',
    );
  });

  it('is looked at only where somebody takes payments', () => {
    expect(() => read({ PAYMENTS: 'none', STRIPE_API_URL: 'http://127.0.0.1:1' })).not.toThrow();
  });
});
