import { type Payments, payments, refusedPayments } from '@pulso/contracts/payments';
import { ConfigError } from '@pulso/platform/process/load-config';
import { secret } from '@pulso/platform/process/secret';
import { settings } from '@pulso/platform/process/settings';
import { z } from 'zod';

const KEY = /^(?:sk|rk)_(live|test)_\w+$/;

/** The secrets that sign events: while they are rotated, the old one and the new one of each endpoint. */
const webhookSecrets = (most: number, problem: string) =>
  secret(
    z
      .string()
      .transform((text) => text.split(',').map((one) => one.trim()))
      .pipe(
        z
          .array(z.string())
          .max(most, problem)
          // Of the whole list: a problem's path is the setting's name.
          .refine((all) => all.every((one) => /^whsec_\w+$/.test(one)), 'must have the form whsec_…'),
      )
      .optional(),
  );

/** Billing's own settings; the keys are the environment's names. */
export class BillingSettings extends settings({
  NODE_ENV: z.string().default('development'),
  PAYMENTS: payments,
  STRIPE_SECRET_KEY: secret(
    z
      .string()
      .regex(KEY, 'must be a secret or restricted key: sk_live_…, sk_test_…, rk_live_… or rk_test_…')
      .optional(),
  ),
  STRIPE_WEBHOOK_SECRETS: webhookSecrets(2, 'must be one secret, or two with a comma between them'),
  /** Of the endpoint for connected accounts, and of the one for the thin events of their accounts by v2. */
  STRIPE_CONNECT_WEBHOOK_SECRETS: webhookSecrets(4, 'must be one to four secrets with commas between them'),
  /** Where the simulator is, without a slash at the end. */
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/$/, ''))
    .optional(),
  /** Whose payments are: the platform's, handed on to the coach, or the coach's own. It concerns what is sold from now on. */
  STRIPE_CHARGES: z.enum(['destination', 'direct'], 'must be destination or direct').default('destination'),
  /** By which of Stripe's interfaces coaches' accounts are made and read. */
  STRIPE_ACCOUNTS: z.enum(['v1', 'v2'], 'must be v1 or v2').default('v1'),
  /** The country of all coaches' accounts, which v2 wants to know before it makes one. */
  STRIPE_ACCOUNTS_COUNTRY: z
    .string()
    .regex(/^[a-z]{2}$/i, 'must be the two letters of a country, such as MX')
    .transform((country) => country.toLowerCase())
    .optional(),
  /** The platform's share of each payment, in per cent. */
  STRIPE_FEE_PERCENT: z.coerce
    .number('must be a number')
    .min(0, 'must be from 0 to 50')
    .max(50, 'must be from 0 to 50')
    .default(0),
  /** Names this Pulso among all that use the Stripe account; never changed once something is sold. */
  STRIPE_INSTALLATION: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, _ or -')
    .default('pulso'),
}) {
  static override check(given: Readonly<Record<string, unknown>>): void {
    const refused = refusedPayments(given) ?? refusedStripe(given);
    if (refused) throw new ConfigError(refused);
  }
}

/** What Stripe or its simulator needs of the settings. */
export interface StripeSettings {
  secretKey: string;
  webhookSecrets: readonly string[];
  connectWebhookSecrets: readonly string[];
  /** Of the simulator; undefined for Stripe itself. */
  apiUrl: string | undefined;
  charges: 'destination' | 'direct';
  accounts: 'v1' | 'v2';
  /** Two small letters; set with v2. */
  accountsCountry: string | undefined;
  feePercent: number;
  installation: string;
}

/** Undefined where billing takes no payments. */
export function stripeSettingsOf(given: BillingSettings): StripeSettings | undefined {
  if (!takesPayments(given.PAYMENTS)) return undefined;
  return {
    secretKey: given.STRIPE_SECRET_KEY!,
    webhookSecrets: given.STRIPE_WEBHOOK_SECRETS!,
    connectWebhookSecrets: given.STRIPE_CONNECT_WEBHOOK_SECRETS!,
    apiUrl: given.STRIPE_API_URL,
    charges: given.STRIPE_CHARGES,
    accounts: given.STRIPE_ACCOUNTS,
    accountsCountry: given.STRIPE_ACCOUNTS_COUNTRY,
    feePercent: given.STRIPE_FEE_PERCENT,
    installation: given.STRIPE_INSTALLATION,
  };
}

/** Whether a key moves real money. */
export const isLiveKey = (key: string): boolean => KEY.exec(key)?.[1] === 'live';

const takesPayments = (given: unknown): given is Exclude<Payments, 'none'> =>
  given === 'stripe' || given === 'simulator';

const REQUIRED = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'STRIPE_CONNECT_WEBHOOK_SECRETS'] as const;

function refusedStripe(given: Readonly<Record<string, unknown>>): string | undefined {
  const { PAYMENTS, NODE_ENV, STRIPE_SECRET_KEY: key } = given;
  if (!takesPayments(PAYMENTS)) return undefined;
  const required = PAYMENTS === 'simulator' ? [...REQUIRED, 'STRIPE_API_URL'] : REQUIRED;
  const problems = required
    .filter((name) => given[name] === undefined)
    .map((name) => `${name}: must be set with PAYMENTS=${PAYMENTS}`);
  if (typeof key === 'string') {
    if (PAYMENTS === 'simulator' && isLiveKey(key))
      problems.push('STRIPE_SECRET_KEY: the simulator must not have a live key');
    if (PAYMENTS === 'stripe' && NODE_ENV === 'production' && !isLiveKey(key))
      problems.push('STRIPE_SECRET_KEY: a test key takes no money, which production refuses');
  }
  if (PAYMENTS === 'stripe' && given['STRIPE_API_URL'] !== undefined)
    problems.push('STRIPE_API_URL: only the simulator has one');
  if (given['STRIPE_ACCOUNTS'] === 'v2') problems.push(...missingForV2(given));
  return problems.length > 0 ? problems.join('; ') : undefined;
}

/** Events of accounts by v2 come from an endpoint of their own; the simulator signs them like those of connected accounts. */
function missingForV2(given: Readonly<Record<string, unknown>>): string[] {
  const { PAYMENTS, STRIPE_ACCOUNTS_COUNTRY: country, STRIPE_CONNECT_WEBHOOK_SECRETS: secrets } = given;
  const problems = [];
  if (country === undefined) problems.push('STRIPE_ACCOUNTS_COUNTRY: must be set with STRIPE_ACCOUNTS=v2');
  if (PAYMENTS === 'stripe' && Array.isArray(secrets) && secrets.length < 2)
    problems.push(
      'STRIPE_CONNECT_WEBHOOK_SECRETS: with STRIPE_ACCOUNTS=v2 it must have the secret for thin events, too',
    );
  return problems;
}
