import { z } from 'zod';
import type { Books } from '../books.js';
import { DAY } from '../clock.js';
import { endpoint, listed } from '../http/endpoint.js';
import { paging, text } from '../http/parameters.js';
import { invalid, StripeError } from '../http/stripe-error.js';
import { newIntent, pay, type PaymentIntent } from './payment.js';
import { amountOf, cancelNow, change, isLive, itemOf, type Subscription } from './subscription.js';

type Reason = 'subscription_create' | 'subscription_cycle';

export interface Invoice {
  id: string;
  object: 'invoice';
  account_country: string;
  amount_due: number;
  amount_overpaid: 0;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  automatically_finalizes_at: number | null;
  billing_reason: Reason;
  collection_method: 'charge_automatically';
  created: number;
  currency: string;
  customer: string;
  customer_email: string | null;
  default_payment_method: string | null;
  description: null;
  due_date: null;
  ending_balance: number | null;
  hosted_invoice_url: null;
  lines: { object: 'list'; data: object[]; has_more: false; url: string };
  livemode: false;
  metadata: Record<string, string>;
  next_payment_attempt: number | null;
  number: string | null;
  on_behalf_of: string | null;
  parent: {
    quote_details: null;
    subscription_details: { metadata: Record<string, string>; subscription: string };
    type: 'subscription_details';
  };
  period_end: number;
  period_start: number;
  starting_balance: 0;
  status: 'draft' | 'open' | 'paid' | 'void';
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: null;
    paid_at: number | null;
    voided_at: number | null;
  };
  subtotal: number;
  test_clock: null;
  total: number;
  /** Its invoice_payment; null while it is a draft. */
  _payment: string | null;
  /** How many scheduled attempts have failed. */
  _failures: number;
}

export interface InvoicePayment {
  id: string;
  object: 'invoice_payment';
  amount_paid: number | null;
  amount_requested: number;
  created: number;
  currency: string;
  invoice: string;
  is_default: true;
  livemode: false;
  payment: { type: 'payment_intent'; payment_intent: string };
  status: 'open' | 'paid' | 'canceled';
  status_transitions: { canceled_at: number | null; paid_at: number | null };
}

/** A renewal's invoice can be changed for an hour before it is charged. */
const DRAFT_LIVES = 3_600;
/** How long after a failed attempt the next one follows; then the subscription is cancelled. */
const RETRIES = [3 * DAY, 5 * DAY, 7 * DAY];

const subscriptionOf = (books: Books, { parent }: Invoice) =>
  books.get('subscription', parent.subscription_details.subscription);

/** An invoice of the period that the subscription is in. */
export function draftInvoice(books: Books, one: Subscription, reason: Reason): Invoice {
  const id = books.newId('in_');
  const amount = amountOf(one);
  const item = itemOf(one);
  const period = { start: item.current_period_start, end: item.current_period_end };
  const isFirst = reason === 'subscription_create';
  const customer = books.get('customer', one.customer);
  const invoice = books.put('invoice', {
    id,
    object: 'invoice',
    account_country: 'MX',
    amount_due: amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: amount,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatically_finalizes_at: isFirst ? null : books.now + DRAFT_LIVES,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: books.now,
    currency: one.currency,
    customer: one.customer,
    customer_email: customer.email,
    default_payment_method: null,
    description: null,
    due_date: null,
    ending_balance: null,
    hosted_invoice_url: null,
    lines: {
      object: 'list',
      data: [
        {
          id: books.newId('il_'),
          object: 'line_item',
          amount,
          currency: one.currency,
          description: null,
          invoice: id,
          livemode: false,
          metadata: one.metadata,
          parent: {
            invoice_item_details: null,
            subscription_item_details: { proration: false, subscription: one.id, subscription_item: item.id },
            type: 'subscription_item_details',
          },
          period,
          pricing: {
            price_details: { price: item.price.id, product: item.price.product },
            type: 'price_details',
            unit_amount_decimal: item.price.unit_amount_decimal,
          },
          quantity: item.quantity,
          subtotal: amount,
        },
      ],
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: isFirst ? null : books.now + DRAFT_LIVES,
    number: null,
    on_behalf_of: one.on_behalf_of,
    parent: {
      quote_details: null,
      subscription_details: { metadata: one.metadata, subscription: one.id },
      type: 'subscription_details',
    },
    // Of a renewal, as at Stripe, the period that has ended; what is billed stands in the lines.
    period_end: isFirst ? books.now : period.start,
    period_start: isFirst ? books.now : Math.max(one.start_date, previousStart(books, one)),
    starting_balance: 0,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: amount,
    test_clock: null,
    total: amount,
    _payment: null,
    _failures: 0,
  });
  books.emit('invoice.created', invoice);
  return invoice;
}

const previousStart = (books: Books, { id }: Subscription) => {
  const before = books.find('subscription', id);
  return before ? itemOf(before).current_period_start : 0;
};

/** Gives the invoice its number, and its payment, which is `intent` where the page has paid it already. */
export function finalize(books: Books, draft: Invoice, intent?: PaymentIntent): Invoice {
  const one = subscriptionOf(books, draft);
  const customer = books.get('customer', draft.customer);
  books.put('customer', {
    ...customer,
    currency: draft.currency,
    next_invoice_sequence: customer.next_invoice_sequence + 1,
  });
  const paymentId = books.newId('inpay_');
  const open = books.put('invoice', {
    ...draft,
    _payment: paymentId,
    automatically_finalizes_at: null,
    ending_balance: 0,
    next_payment_attempt: intent ? null : books.now,
    number: `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: books.now },
  });
  const payment =
    intent ??
    newIntent(books, {
      amount: open.amount_due,
      currency: open.currency,
      customer: open.customer,
      feePercent: one.application_fee_percent,
      destination: one.transfer_data?.destination ?? null,
      onBehalfOf: one.on_behalf_of,
      description: 'Subscription update',
    });
  books.put('invoice_payment', {
    id: paymentId,
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: open.amount_due,
    created: books.now,
    currency: open.currency,
    invoice: open.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: payment.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
  books.emit('invoice.finalized', open);
  return open;
}

const paymentOf = (books: Books, { _payment: id }: Invoice) => books.get('invoice_payment', id ?? '');

/** The invoice's payment has succeeded. */
export function markPaid(books: Books, open: Invoice): Invoice {
  const payment = paymentOf(books, open);
  const paidPayment = books.put('invoice_payment', {
    ...payment,
    amount_paid: open.amount_due,
    status: 'paid',
    status_transitions: { ...payment.status_transitions, paid_at: books.now },
  });
  const paid = books.put('invoice', {
    ...open,
    amount_paid: open.amount_due,
    amount_remaining: 0,
    attempt_count: open.attempt_count + 1,
    attempted: true,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...open.status_transitions, paid_at: books.now },
  });
  books.emit('invoice_payment.paid', paidPayment);
  books.emit('invoice.paid', paid);
  books.emit('invoice.payment_succeeded', paid);
  return paid;
}

/**
 * Tries to charge an open invoice; the subscription follows. `by` is the owner of the card, at a page, or the schedule, which
 * ends the subscription with its last attempt.
 */
export function attempt(books: Books, open: Invoice, by: 'owner' | 'schedule'): Invoice {
  const one = subscriptionOf(books, open);
  const customer = books.get('customer', open.customer);
  const method = one.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const intent = books.get('payment_intent', paymentOf(books, open).payment.payment_intent);
  const isPaid =
    method !== null &&
    pay(books, intent, books.get('payment_method', method), by === 'owner' ? 'authenticated' : 'away')
      .status === 'succeeded';
  if (!isPaid) return markFailed(books, open, one, by);
  const paid = markPaid(books, open);
  if (one.latest_invoice === open.id) {
    if (one.status === 'past_due') change(books, one, { status: 'active' });
    if (customer.delinquent) books.put('customer', { ...customer, delinquent: false });
  }
  return paid;
}

function markFailed(books: Books, open: Invoice, one: Subscription, by: 'owner' | 'schedule'): Invoice {
  const pause = RETRIES[open._failures];
  const isLast = by === 'schedule' && pause === undefined;
  const failed = books.put('invoice', {
    ...open,
    attempt_count: open.attempt_count + 1,
    attempted: true,
    ...(by === 'schedule' && {
      next_payment_attempt: pause === undefined ? null : books.now + pause,
      _failures: open._failures + 1,
    }),
  });
  books.emit('invoice.payment_failed', failed);
  books.put('customer', { ...books.get('customer', open.customer), delinquent: true });
  if (!isLive(one)) return failed;
  const behind = change(books, one, { status: 'past_due' });
  if (isLast) cancelNow(books, behind, 'payment_failed');
  return books.get('invoice', open.id);
}

export const invoiceEndpoints = [
  endpoint('GET', '/v1/invoices/:id', {}, ({ books, id }) => books.get('invoice', id)),
  endpoint(
    'GET',
    '/v1/invoices',
    {
      ...paging,
      customer: text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
      subscription: text.optional(),
    },
    ({ books, parameters: { customer, status, subscription } }) =>
      listed(
        books
          .all('invoice')
          .filter(
            (one) =>
              (customer === undefined || one.customer === customer) &&
              (status === undefined || one.status === status) &&
              (subscription === undefined || one.parent.subscription_details.subscription === subscription),
          ),
      ),
  ),
  endpoint('POST', '/v1/invoices/:id/pay', {}, ({ books, id }) => {
    const invoice = books.get('invoice', id);
    if (invoice.status !== 'open')
      throw invalid(invoice.status === 'paid' ? 'Invoice is already paid' : 'This invoice is not open.');
    const paid = attempt(books, invoice, 'owner');
    if (paid.status === 'paid') return paid;
    throw new StripeError(
      402,
      { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
      true,
    );
  }),
  endpoint(
    'GET',
    '/v1/invoice_payments',
    { ...paging, invoice: text.optional(), status: z.enum(['open', 'paid', 'canceled']).optional() },
    ({ books, parameters: { invoice, status } }) =>
      listed(
        books
          .all('invoice_payment')
          .filter(
            (one) =>
              (invoice === undefined || one.invoice === invoice) &&
              (status === undefined || one.status === status),
          ),
      ),
  ),
  endpoint('GET', '/v1/invoice_payments/:id', {}, ({ books, id }) => books.get('invoice_payment', id)),
];
