import type { Books } from '../books.js';
import { requireTransfers } from './account.js';
import type { CheckoutSession } from './checkout-session.js';
import { requireCurrency } from './customer.js';
import { finalize, markPaid } from './collection.js';
import { draftInvoice } from './invoice.js';
import { newIntent, pay, type Presence } from './charge.js';
import type { PaymentIntent } from './payment.js';
import { attach, newCard, type PaymentMethod } from './payment-method.js';
import { begin } from './subscription.js';

export type Attempt =
  | { outcome: 'paid'; session: CheckoutSession }
  | { outcome: 'authenticate' }
  | { outcome: 'declined'; message: string };

/**
 * The payer presses Pay with a card, or (without a number) comes back from their bank. Throws a StripeError where nothing can
 * be paid: a number that is no card's, a page that is closed, an account that cannot be paid any more.
 */
export function payCheckout(
  books: Books,
  session: CheckoutSession,
  presence: Presence,
  number?: string,
): Attempt {
  const { _subscription: terms, currency, customer } = session;
  requireCurrency(books, books.get('customer', customer), currency);
  if (terms.destination !== null) requireTransfers(books, terms.destination, 'destination');
  const intent =
    session._intent === null ? newPayment(books, session) : books.get('payment_intent', session._intent);
  const method =
    number === undefined ? books.get('payment_method', intent.payment_method ?? '') : newCard(books, number);
  const result = pay(books, intent, method, presence);
  const tried = books.put('checkout.session', { ...session, _intent: result.id });
  switch (result.status) {
    case 'succeeded':
      return { outcome: 'paid', session: complete(books, tried, result, method) };
    case 'requires_action':
      return { outcome: 'authenticate' };
    default:
      return { outcome: 'declined', message: result.last_payment_error?.message ?? 'The payment failed.' };
  }
}

const newPayment = (
  books: Books,
  { _subscription: terms, amount_total: amount, currency, customer }: CheckoutSession,
) =>
  newIntent(books, {
    amount,
    currency,
    customer,
    feePercent: terms.feePercent,
    destination: terms.destination,
    onBehalfOf: terms.onBehalfOf,
    description: 'Subscription creation',
  });

/** The subscription, its paid invoice, and the events of both. */
function complete(
  books: Books,
  session: CheckoutSession,
  intent: PaymentIntent,
  card: PaymentMethod,
): CheckoutSession {
  const begun = begin(books, {
    customer: session.customer,
    price: books.get('price', session._price),
    quantity: session._quantity,
    ...session._subscription,
    paymentMethod: attach(books, card, session.customer).id,
  });
  const { currency } = books.get('customer', session.customer);
  const draft = draftInvoice(books, begun, 'subscription_create');
  const subscription = books.put('subscription', { ...begun, latest_invoice: draft.id });
  markPaid(books, finalize(books, draft, intent));
  const customer = books.get('customer', session.customer);
  if (customer.currency !== currency) books.emit('customer.updated', customer, { currency });
  books.emit('customer.subscription.created', subscription);
  const done = books.put('checkout.session', {
    ...session,
    invoice: draft.id,
    payment_status: 'paid',
    status: 'complete',
    subscription: subscription.id,
    url: null,
  });
  books.emit('checkout.session.completed', done);
  return done;
}
