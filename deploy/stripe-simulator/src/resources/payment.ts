import { endpoint, listed } from '../http/endpoint.js';
import { paging, text } from '../http/parameters.js';
import type { PaymentMethod } from './payment-method.js';

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
  disputed: boolean;
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
  endpoint('GET', '/v1/application_fees/:id', {}, ({ books, id }) => books.get('application_fee', id)),
  endpoint(
    'GET',
    '/v1/application_fees',
    { ...paging, charge: text.optional() },
    ({ books, parameters: { charge } }) =>
      listed(books.all('application_fee').filter((one) => charge === undefined || one.charge === charge)),
  ),
];
