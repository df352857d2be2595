import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import Stripe from 'stripe';
import { startStripeSimulator, type SimulatorOptions, type StripeSimulator } from '../../src/simulator.js';
import { type Twin, twinOf } from './twin.js';
import { CONNECT_SECRET, Receiver, WEBHOOK_SECRET } from './receiver.js';

export const SECRET_KEY = 'sk_test_simulator';

export interface Started {
  simulator: StripeSimulator;
  stripe: Stripe;
  receiver: Receiver;
}

/** Stripe's own package, as billing uses it, for the simulator at `url`. */
export function clientOf(url: string, secretKey = SECRET_KEY, twin?: Twin): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(secretKey, {
    ...(twin && { httpClient: twin.around(Stripe.createNodeHttpClient()) }),
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    timeout: 30_000,
    telemetry: false,
  });
}

/** A simulator, its client and its webhook; all end with the test. */
export async function start(options: Partial<SimulatorOptions> = {}): Promise<Started> {
  const receiver = await new Receiver().start();
  const simulator = await startStripeSimulator({
    port: 0,
    webhookUrl: receiver.url,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    connectWebhookSecret: CONNECT_SECRET,
    ...options,
  });
  onTestEnd(() => simulator.close());
  const twin = twinOf(process.env);
  if (twin) onTestEnd(() => expect(twin.mismatches).toEqual([]));
  return { simulator, stripe: clientOf(simulator.url, SECRET_KEY, twin), receiver };
}

export const PAIR = { pulso_user: 'user-1', pulso_coach: 'coach-1', pulso_installation: 'pulso' };

export async function aReadyAccount({ simulator, stripe }: Started): Promise<string> {
  const account = await stripe.accounts.create({
    type: 'express',
    country: 'MX',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { pulso_coach: 'coach-1' },
  });
  simulator.controls.onboard(account.id);
  return account.id;
}

/** What of an account by v2 is asked for. */
export const SHOWN_V2: Stripe.V2.Core.AccountRetrieveParams.Include[] = [
  'configuration.merchant',
  'configuration.recipient',
];

/** An account by v2 as billing makes it. */
export const anAccountV2 = (
  changes: Stripe.V2.Core.AccountCreateParams = {},
): Stripe.V2.Core.AccountCreateParams => ({
  dashboard: 'express',
  identity: { country: 'mx' },
  configuration: {
    merchant: { capabilities: { card_payments: { requested: true } } },
    recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
  },
  defaults: {
    responsibilities: { fees_collector: 'application_express', losses_collector: 'application' },
  },
  metadata: PAIR,
  include: SHOWN_V2,
  ...changes,
});

export const anOnboardingV2 = (account: string): Stripe.V2.Core.AccountLinkCreateParams => ({
  account,
  use_case: {
    type: 'account_onboarding',
    account_onboarding: { refresh_url: 'https://pulso.example/a', return_url: 'https://pulso.example/b' },
  },
});

export const aPrice = ({ stripe }: Started, currency = 'mxn', amount = 40_000) =>
  stripe.prices.create({
    currency,
    unit_amount: amount,
    recurring: { interval: 'month' },
    product_data: { name: 'Coach Carla', metadata: { pulso_coach: 'coach-1' } },
  });

export async function aCheckout(
  started: Started,
  given: { customer?: string; price?: string; account?: string } = {},
): Promise<Stripe.Checkout.Session> {
  const { stripe } = started;
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: given.customer ?? (await stripe.customers.create({ metadata: PAIR })).id,
    line_items: [{ price: given.price ?? (await aPrice(started)).id, quantity: 1 }],
    success_url: 'http://localhost:8080/coach?checkout=done&session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:8080/coach?checkout=cancelled',
    metadata: PAIR,
    subscription_data: {
      metadata: PAIR,
      application_fee_percent: 10,
      transfer_data: { destination: given.account ?? (await aReadyAccount(started)) },
    },
  });
}

/** A subscription that was paid with this card. */
export async function aSubscription(
  started: Started,
  card = '4242424242424242',
): Promise<Stripe.Subscription> {
  const { id } = await aCheckout(started);
  started.simulator.controls.pay(id, card);
  const { subscription } = await started.stripe.checkout.sessions.retrieve(id);
  return started.stripe.subscriptions.retrieve(subscription as string);
}
