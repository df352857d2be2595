import { z } from 'zod';
import type { Books } from '../books.js';
import { DAY } from '../clock.js';
import { endpoint, listed } from '../http/endpoint.js';
import { address, integer, mergeMetadata, metadata, paging, percent, text } from '../http/parameters.js';
import { invalid, StripeError } from '../http/stripe-error.js';
import { requireTransfers } from './account.js';
import { livingCustomer, requireCurrency } from './customer.js';

export interface CheckoutSession {
  id: string;
  object: 'checkout.session';
  allow_promotion_codes: false | null;
  amount_subtotal: number;
  amount_total: number;
  automatic_tax: { enabled: false; liability: null; provider: null; status: null };
  cancel_url: string | null;
  client_reference_id: string | null;
  created: number;
  currency: string;
  custom_fields: never[];
  customer: string;
  customer_details: { email: string | null; name: string | null } | null;
  customer_email: null;
  expires_at: number;
  invoice: string | null;
  livemode: false;
  locale: string | null;
  metadata: Record<string, string>;
  mode: 'subscription';
  payment_intent: null;
  payment_method_collection: 'always';
  payment_method_types: ['card'];
  payment_status: 'paid' | 'unpaid';
  setup_intent: null;
  status: 'open' | 'complete' | 'expired';
  subscription: string | null;
  success_url: string;
  total_details: { amount_discount: 0; amount_shipping: 0; amount_tax: 0 };
  ui_mode: 'hosted_page';
  url: string | null;
  _price: string;
  _quantity: number;
  _subscription: {
    description: string | null;
    destination: string | null;
    feePercent: number | null;
    metadata: Record<string, string>;
    onBehalfOf: string | null;
  };
  /** The payment of the last attempt. */
  _intent: string | null;
  /** By how many seconds the clock of `expires_at` is behind the simulator's. */
  _clientBehind: number;
}

const SHORTEST = 1_800;
/** The least that can be paid, in minor units (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const MINIMUM: Readonly<Record<string, number>> = { mxn: 1_000, usd: 50 };

const off = z.strictObject({ enabled: z.literal('false') });

const creation = {
  // What the simulator does not do can be said not to be wanted.
  adaptive_pricing: off.optional(),
  allow_promotion_codes: z.literal('false').optional(),
  automatic_tax: off.optional(),
  cancel_url: address.optional(),
  client_reference_id: text.max(200).optional(),
  customer: text,
  expires_at: integer.optional(),
  line_items: z.array(z.strictObject({ price: text, quantity: integer.optional() })),
  locale: text.optional(),
  metadata: metadata.optional(),
  mode: z.literal('subscription', 'the simulator sells subscriptions only'),
  payment_method_collection: z.literal('always').optional(),
  payment_method_types: z.tuple([z.literal('card')]).optional(),
  subscription_data: z
    .strictObject({
      application_fee_percent: percent.optional(),
      description: text.max(500).optional(),
      metadata: metadata.optional(),
      on_behalf_of: text.optional(),
      transfer_data: z.strictObject({ destination: text }).optional(),
    })
    .optional(),
  success_url: address,
  ui_mode: z.literal('hosted_page').optional(),
};

function create(books: Books, parameters: z.output<z.ZodObject<typeof creation>>): CheckoutSession {
  const {
    line_items: [line, ...others],
    subscription_data: data,
  } = parameters;
  if (!line || others.length > 0)
    throw invalid('The simulator sells one price in a session.', { param: 'line_items' });
  const customer = livingCustomer(books, parameters.customer, 'customer');
  const price = books.get('price', line.price, 'line_items[0][price]');
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', {
      param: 'line_items[0][price]',
    });
  requireCurrency(books, customer, price.currency);
  const total = price.unit_amount * (line.quantity ?? 1);
  if (total < (MINIMUM[price.currency] ?? 1))
    throw invalid(
      `The Checkout Session's total amount due must add up to at least ${(MINIMUM[price.currency]! / 100).toFixed(2)} ${price.currency}`,
      { code: 'amount_too_small' },
    );
  const expiresAt = parameters.expires_at ?? books.now + DAY;
  const clientBehind = behindOf(books, expiresAt);
  const destination = data?.transfer_data?.destination ?? null;
  if (destination !== null)
    requireTransfers(books, destination, 'subscription_data[transfer_data][destination]');
  if (books.account !== null) requireCharges(books, books.account);
  if (data?.application_fee_percent !== undefined && destination === null && books.account === null)
    throw invalid(
      'You can only apply an application_fee_percent when the request is made on behalf of a connected account, or with transfer_data.',
      { param: 'subscription_data[application_fee_percent]' },
    );
  const id = books.newId('cs_test_', 58);
  return books.put('checkout.session', {
    id,
    object: 'checkout.session',
    allow_promotion_codes: parameters.allow_promotion_codes === undefined ? null : false,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: parameters.cancel_url ?? null,
    client_reference_id: parameters.client_reference_id ?? null,
    created: books.now,
    currency: price.currency,
    custom_fields: [],
    customer: customer.id,
    customer_details: { email: customer.email, name: customer.name },
    customer_email: null,
    expires_at: expiresAt,
    invoice: null,
    livemode: false,
    locale: parameters.locale ?? null,
    metadata: mergeMetadata({}, parameters.metadata),
    mode: 'subscription',
    payment_intent: null,
    payment_method_collection: 'always',
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    setup_intent: null,
    status: 'open',
    subscription: null,
    success_url: parameters.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${books.world.publicUrl}/c/pay/${id}`,
    _price: price.id,
    _quantity: line.quantity ?? 1,
    _subscription: {
      description: data?.description ?? null,
      destination,
      feePercent: data?.application_fee_percent ?? null,
      metadata: mergeMetadata({}, data?.metadata),
      onBehalfOf: data?.on_behalf_of ?? null,
    },
    _intent: null,
    _clientBehind: clientBehind,
  });
}

/**
 * By how many seconds the clock is behind that `expires_at` was reckoned by: the simulator's own, or the machine's, from which
 * the simulator's may have been turned away. Throws where it is too early or too late by both.
 */
function behindOf(books: Books, expiresAt: number): number {
  const lives = (behind: number) => expiresAt + behind - books.now;
  const ahead = Math.round(books.aheadMs / 1000);
  const behind = [0, ahead].find((one) => lives(one) >= SHORTEST && lives(one) <= DAY);
  if (behind !== undefined) return behind;
  throw invalid(
    lives(0) < SHORTEST
      ? 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.'
      : 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
    { param: 'expires_at' },
  );
}

function requireCharges(books: Books, id: string): void {
  if (!books.of(null).get('account', id).charges_enabled)
    throw new StripeError(400, {
      type: 'invalid_request_error',
      message:
        'Your account cannot currently make charges. To find out why charges are currently disabled, look up the account in the Dashboard.',
    });
}

/** Closes a page that was not paid. */
export function expire(books: Books, session: CheckoutSession): CheckoutSession {
  const expired = books.put('checkout.session', { ...session, status: 'expired', url: null });
  books.emit('checkout.session.expired', expired);
  return expired;
}

export const checkoutEndpoints = [
  endpoint('POST', '/v1/checkout/sessions', creation, ({ books, parameters }) => create(books, parameters)),
  endpoint('GET', '/v1/checkout/sessions/:id', {}, ({ books, id }) => books.get('checkout.session', id)),
  endpoint(
    'GET',
    '/v1/checkout/sessions',
    {
      ...paging,
      customer: text.optional(),
      status: z.enum(['open', 'complete', 'expired']).optional(),
      subscription: text.optional(),
    },
    ({ books, parameters: { customer, status, subscription } }) =>
      listed(
        books
          .all('checkout.session')
          .filter(
            (one) =>
              (customer === undefined || one.customer === customer) &&
              (status === undefined || one.status === status) &&
              (subscription === undefined || one.subscription === subscription),
          ),
      ),
  ),
  endpoint('POST', '/v1/checkout/sessions/:id/expire', {}, ({ books, id }) => {
    const session = books.get('checkout.session', id);
    if (session.status !== 'open')
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    return expire(books, session);
  }),
];
