import type { Books } from '../books.js';
import { DAY } from '../clock.js';
import { newIntent, pay } from './charge.js';
import type { Invoice } from './invoice.js';
import type { PaymentIntent } from './payment.js';
import { cancelNow, change, isLive, type Subscription } from './subscription.js';

/** How long after a failed attempt the next one follows; then the subscription is cancelled. */
const RETRIES = [3 * DAY, 5 * DAY, 7 * DAY];

const subscriptionOf = (books: Books, { parent }: Invoice) =>
  books.get('subscription', parent.subscription_details.subscription);

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

/** Takes back what was to be paid: nobody can pay it any more. The subscription goes on where it lacks no other payment. */
export function voidInvoice(books: Books, before: Invoice): Invoice {
  const payment = paymentOf(books, before);
  books.put('invoice_payment', {
    ...payment,
    status: 'canceled',
    status_transitions: { ...payment.status_transitions, canceled_at: books.now },
  });
  const intent = books.get('payment_intent', payment.payment.payment_intent);
  books.emit(
    'payment_intent.canceled',
    books.put('payment_intent', { ...intent, canceled_at: books.now, status: 'canceled' }),
  );
  const gone = books.put('invoice', {
    ...before,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'void',
    status_transitions: { ...before.status_transitions, voided_at: books.now },
  });
  books.emit('invoice.voided', gone);
  const one = subscriptionOf(books, gone);
  const isMissing = books
    .all('invoice')
    .some(({ status, parent }) => status === 'open' && parent.subscription_details.subscription === one.id);
  if (one.status === 'past_due' && !isMissing) change(books, one, { status: 'active' });
  return gone;
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
