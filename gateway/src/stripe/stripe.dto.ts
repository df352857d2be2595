import { CURRENCIES, PRICE, TEXT_LIMITS, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { z } from 'zod';
import { answer, body } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import { time } from '../user-ref/user-ref.dto.js';
import { givenId, requiredText } from '../validation/fields.js';

/** Whose origin is checked by `ownAddress`: the schema does not know Pulso's. */
const address = (field: string) => requiredText(TEXT_LIMITS.url, VALIDATION_MESSAGES.required(field));
const MAX_MINOR_UNITS = PRICE.max * 100;
const lowerCurrencies = CURRENCIES.map((code) => code.toLowerCase());

export class CheckoutBody extends body(
  'NewCheckout',
  z.strictObject({
    coachUid: givenId,
    success_url: address('success_url'),
    cancel_url: address('cancel_url'),
  }),
  {
    coachUid: EXAMPLE.coachId,
    success_url: 'https://pulso.example/subscribe/success',
    cancel_url: 'https://pulso.example/subscribe/cancel',
  },
) {}

export class LazyPriceBody extends body(
  'NewPrice',
  z.strictObject({
    coachUid: givenId,
    unitAmount: z
      .int()
      .min(0)
      .max(MAX_MINOR_UNITS)
      .meta({ description: 'In minor units; ignored where it differs from the coach’s price' }),
    currency: z.enum(lowerCurrencies),
    interval: z.enum(['month']),
    coachName: requiredText(TEXT_LIMITS.name, VALIDATION_MESSAGES.required('coachName')),
  }),
  {
    coachUid: EXAMPLE.coachId,
    unitAmount: 40_000,
    currency: 'mxn',
    interval: 'month',
    coachName: 'Ana Torres',
  },
) {}

export class ConnectAccountBody extends body('NewConnectAccount', z.strictObject({ uid: givenId }), {
  uid: EXAMPLE.coachId,
}) {}

export class OnboardingLinkBody extends body(
  'NewOnboardingLink',
  z.strictObject({ uid: givenId, refresh_url: address('refresh_url'), return_url: address('return_url') }),
  {
    uid: EXAMPLE.coachId,
    refresh_url: 'https://pulso.example/dashboard',
    return_url: 'https://pulso.example/dashboard',
  },
) {}

export class ReturnBody extends body(
  'NewStripeSession',
  z.strictObject({ return_url: address('return_url') }),
  {
    return_url: 'https://pulso.example/dashboard',
  },
) {}

const exampleUrl = { url: 'https://checkout.stripe.com/c/pay/example' };
export const stripeUrlSchema = answer(
  'StripeUrl',
  z.object({ url: z.string().meta({ description: 'Where the browser is sent to' }) }),
  exampleUrl,
);
export const stripePriceSchema = answer('StripePrice', z.object({ priceId: z.string() }), {
  priceId: 'price_1RExample',
});
export const stripeAccountSchema = answer('StripeAccount', z.object({ accountId: z.string() }), {
  accountId: 'acct_1RExample',
});

export const PAYOUT_STATES = ['none', 'started', 'ready'] as const;
export const stripeStatusSchema = answer(
  'StripeStatus',
  z.object({
    paymentDueBy: time.nullable().meta({
      description:
        'When access ends to the first coach whose payment is missing, unless it is paid; null: no payment is missing',
    }),
    payouts: z.enum(PAYOUT_STATES).meta({ description: 'Of the caller as a coach' }),
  }),
  { paymentDueBy: null, payouts: 'ready' as const },
);

export type StripeStatus = z.output<typeof stripeStatusSchema>;
export type StripeUrl = z.output<typeof stripeUrlSchema>;
export type StripePrice = z.output<typeof stripePriceSchema>;
export type StripeAccount = z.output<typeof stripeAccountSchema>;
