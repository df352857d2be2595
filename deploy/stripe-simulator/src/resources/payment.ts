import type { Books } from '../books.js';
import { endpoint, listed } from '../http/endpoint.js';
import { paging, text } from '../http/parameters.js';
import { cardBehind, type PaymentMethod } from './payment-method.js';
import { NOT_AUTHENTICATED, type Decline } from './test-cards.js';

export interface PaymentIntent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_capturable: 0;
  amount_received: number;
  application_fee_amount: number | null;
  canceled_at: number | null;
  capture_method: 'automatic';
  client_secret: string;
  confirmation_method: 'automatic';
  created: number;
  currency: string;
  customer: string;
  description: string | null;
  last_payment_error: { type: 'card_error'; code: string; decline_code?: string; message: string } | null;
  latest_charge: string | null;
  livemode: false;
  metadata: Record<string, string>;
  next_action: { type: 'use_stripe_sdk' } | null;
  on_behalf_of: string | null;
  payment_method: string | null;
  payment_method_types: ['card'];
  setup_future_usage: 'off_session' | null;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  transfer_data: { destination: string } | null;
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  application_fee: string | null;
  application_fee_amount: number | null;
  captured: boolean;
  created: number;
  currency: string;
  customer: string;
  disputed: false;
  failure_code: string | null;
  failure_message: string | null;
  livemode: false;
  metadata: Record<string, string>;
  on_behalf_of: string | null;
  outcome: { network_status: string; reason: string | null; seller_message: string; type: string };
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { type: 'card'; card: PaymentMethod['card'] };
  receipt_url: null;
  refunded: boolean;
  status: 'succeeded' | 'failed';
  transfer?: string;
  transfer_data: { amount: null; destination: string } | null;
}

export interface Transfer {
  id: string;
  object: 'transfer';
  amount: number;
  amount_reversed: number;
  created: number;
  currency: string;
  description: null;
  destination: string;
  livemode: false;
  metadata: Record<string, string>;
  reversed: boolean;
  source_transaction: string;
  source_type: 'card';
}

export interface ApplicationFee {
  id: string;
  object: 'application_fee';
  account: string;
  amount: number;
  amount_refunded: number;
  charge: string;
  created: number;
  currency: string;
  livemode: false;
  refunded: boolean;
}

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  balance_transaction: null;
  charge: string;
  created: number;
  currency: string;
  customer: string;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
  receipt_number: null;
  source_transfer_reversal: string | null;
  status: 'succeeded';
  transfer_reversal: string | null;
}

/** What is charged, and who gets which part of it. Money is in minor units. */
export interface Payable {
  amount: number;
  currency: string;
  customer: string;
  /** The platform's share; null: none. */
  feePercent: number | null;
  /** The account that gets the rest; null: the books' own account. */
  destination: string | null;
  onBehalfOf: string | null;
  description: string | null;
}

export function newIntent(books: Books, payable: Payable): PaymentIntent {
  const { amount, feePercent, destination } = payable;
  const id = books.newId('pi_');
  const intent = books.put('payment_intent', {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: 0,
    application_fee_amount: feePercent === null ? null : Math.round((amount * feePercent) / 100),
    canceled_at: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${books.newId('')}`,
    confirmation_method: 'automatic',
    created: books.now,
    currency: payable.currency,
    customer: payable.customer,
    description: payable.description,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: {},
    next_action: null,
    on_behalf_of: payable.onBehalfOf,
    payment_method: null,
    payment_method_types: ['card'],
    setup_future_usage: 'off_session',
    status: 'requires_payment_method',
    transfer_data: destination === null ? null : { destination },
  });
  books.emit('payment_intent.created', intent);
  return intent;
}

export type Presence = 'at the page' | 'authenticated' | 'refused' | 'away';

/** Charges a card. `presence` says what its owner does: whether they are there, and what they told their bank. */
export function pay(
  books: Books,
  intent: PaymentIntent,
  method: PaymentMethod,
  presence: Presence,
): PaymentIntent {
  const card = cardBehind(method);
  if (presence === 'refused') return fail(books, intent, method, NOT_AUTHENTICATED);
  const outcome = presence === 'away' ? card.later : card.first;
  if (outcome === 'authenticate' && presence === 'at the page') {
    const waiting = books.put('payment_intent', {
      ...intent,
      next_action: { type: 'use_stripe_sdk' },
      payment_method: method.id,
      status: 'requires_action',
    });
    books.emit('payment_intent.requires_action', waiting);
    return waiting;
  }
  return outcome === 'paid' || outcome === 'authenticate'
    ? succeed(books, intent, method)
    : fail(books, intent, method, outcome);
}

function newCharge(books: Books, intent: PaymentIntent, method: PaymentMethod): Charge {
  return {
    id: books.newId('ch_'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    application_fee: null,
    application_fee_amount: intent.application_fee_amount,
    captured: true,
    created: books.now,
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: intent.on_behalf_of,
    outcome: {
      network_status: 'approved_by_network',
      reason: null,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: method.card },
    receipt_url: null,
    refunded: false,
    status: 'succeeded',
    transfer_data: intent.transfer_data && { amount: null, destination: intent.transfer_data.destination },
  };
}

function fail(books: Books, intent: PaymentIntent, method: PaymentMethod, decline: Decline): PaymentIntent {
  const { code, declineCode, message } = decline;
  const charge = books.put('charge', {
    ...newCharge(books, intent, method),
    amount_captured: 0,
    captured: false,
    failure_code: code,
    failure_message: message,
    outcome: {
      network_status: 'declined_by_network',
      reason: declineCode ?? null,
      seller_message: 'The bank did not return any further details with this decline.',
      type: 'issuer_declined',
    },
    paid: false,
    status: 'failed',
  });
  const failed = books.put('payment_intent', {
    ...intent,
    last_payment_error: { type: 'card_error', code, decline_code: declineCode, message },
    latest_charge: charge.id,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  books.emit('charge.failed', charge);
  books.emit('payment_intent.payment_failed', failed);
  return failed;
}

function succeed(books: Books, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  let charge = newCharge(books, intent, method);
  const payee = intent.transfer_data?.destination ?? books.account;
  if (intent.application_fee_amount && payee !== null) {
    const fee = books.of(null).put('application_fee', {
      id: books.newId('fee_'),
      object: 'application_fee',
      account: payee,
      amount: intent.application_fee_amount,
      amount_refunded: 0,
      charge: charge.id,
      created: books.now,
      currency: intent.currency,
      livemode: false,
      refunded: false,
    });
    charge = { ...charge, application_fee: fee.id };
  }
  if (intent.transfer_data) {
    const transfer = books.put('transfer', {
      id: books.newId('tr_'),
      object: 'transfer',
      amount: intent.amount,
      amount_reversed: 0,
      created: books.now,
      currency: intent.currency,
      description: null,
      destination: intent.transfer_data.destination,
      livemode: false,
      metadata: {},
      reversed: false,
      source_transaction: charge.id,
      source_type: 'card',
    });
    charge = { ...charge, transfer: transfer.id };
  }
  books.put('charge', charge);
  const paid = books.put('payment_intent', {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    status: 'succeeded',
  });
  books.emit('charge.succeeded', charge);
  books.emit('payment_intent.succeeded', paid);
  return paid;
}

export const paymentEndpoints = [
  endpoint('GET', '/v1/payment_intents/:id', {}, ({ books, id }) => books.get('payment_intent', id)),
  endpoint(
    'GET',
    '/v1/payment_intents',
    { ...paging, customer: text.optional() },
    ({ books, parameters: { customer } }) =>
      listed(
        books.all('payment_intent').filter((one) => customer === undefined || one.customer === customer),
      ),
  ),
  endpoint('GET', '/v1/charges/:id', {}, ({ books, id }) => books.get('charge', id)),
  endpoint(
    'GET',
    '/v1/charges',
    { ...paging, customer: text.optional(), payment_intent: text.optional() },
    ({ books, parameters: { customer, payment_intent: intent } }) =>
      listed(
        books
          .all('charge')
          .filter(
            (one) =>
              (customer === undefined || one.customer === customer) &&
              (intent === undefined || one.payment_intent === intent),
          ),
      ),
  ),
  endpoint('GET', '/v1/transfers/:id', {}, ({ books, id }) => books.get('transfer', id)),
  endpoint(
    'GET',
    '/v1/transfers',
    { ...paging, destination: text.optional() },
    ({ books, parameters: { destination } }) =>
      listed(
        books.all('transfer').filter((one) => destination === undefined || one.destination === destination),
      ),
  ),
  endpoint('GET', '/v1/application_fees/:id', {}, ({ books, id }) => books.get('application_fee', id)),
  endpoint(
    'GET',
    '/v1/application_fees',
    { ...paging, charge: text.optional() },
    ({ books, parameters: { charge } }) =>
      listed(books.all('application_fee').filter((one) => charge === undefined || one.charge === charge)),
  ),
];
