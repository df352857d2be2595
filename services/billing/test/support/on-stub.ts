import { StripeProvider } from '../../src/stripe/stripe-provider.js';
import type { StripeSettings } from '../../src/settings.js';
import { StripeStub } from './stripe-stub.js';

export const NOW = Date.UTC(2026, 10, 28, 12);
export const SECONDS = NOW / 1000;
/** In seconds, as Stripe counts. */
export const DAY = 24 * 60 * 60;
export const PAIR = { userId: 'ana', coachId: 'carla' };
export const MARKS = { pulso_installation: 'pulso', pulso_user: 'ana', pulso_coach: 'carla' };

/** Billing's side of Stripe, against a stub. */
export const providerOn = (stub: StripeStub, changes: Partial<StripeSettings> = {}) =>
  new StripeProvider(
    {
      secretKey: 'sk_test_1',
      webhookSecrets: ['whsec_old', 'whsec_new'],
      connectWebhookSecrets: ['whsec_connect'],
      apiUrl: stub.url,
      charges: 'destination',
      accounts: 'v1',
      accountsCountry: undefined,
      feePercent: 0,
      installation: 'pulso',
      ...changes,
    },
    () => NOW,
  );

export const signal = () => new AbortController().signal;

/** A page of a list as Stripe answers it. */
export const list = (...data: object[]) => ({ json: { object: 'list', data, has_more: false, url: '/' } });

/** A subscription as Stripe answers it: active, and paid yesterday. */
export const subscription = (changes: object = {}) => ({
  id: 'sub_1',
  object: 'subscription',
  customer: 'cus_1',
  status: 'active',
  currency: 'mxn',
  created: SECONDS - DAY,
  cancel_at_period_end: false,
  ended_at: null,
  canceled_at: null,
  metadata: MARKS,
  items: {
    data: [
      {
        quantity: 1,
        price: { unit_amount: 40_000 },
        current_period_start: SECONDS - DAY,
        current_period_end: SECONDS + 29 * DAY,
      },
    ],
  },
  latest_invoice: {
    id: 'in_1',
    object: 'invoice',
    created: SECONDS - DAY,
    amount_paid: 40_000,
    payments: { data: [{ status: 'paid', payment: { type: 'payment_intent', payment_intent: 'pi_1' } }] },
    lines: { data: [{ period: { start: SECONDS - DAY, end: SECONDS + 29 * DAY } }] },
  },
  ...changes,
});
