import type { Books } from '../books.js';
import type { Charge, PaymentIntent } from './payment.js';
import { newTransfer } from './transfer.js';
import { cardBehind, type PaymentMethod } from './payment-method.js';
import { NOT_AUTHENTICATED, type Decline } from './test-cards.js';

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
    books.of(null).emit('application_fee.created', fee);
    charge = { ...charge, application_fee: fee.id };
  }
  if (intent.transfer_data) {
    const transfer = newTransfer(books, {
      amount: intent.amount,
      currency: intent.currency,
      destination: intent.transfer_data.destination,
      source_transaction: charge.id,
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
