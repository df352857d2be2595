import { z } from 'zod';
import { endpoint, listed } from '../http/endpoint.js';
import { paging, text } from '../http/parameters.js';
import { invalid, StripeError } from '../http/stripe-error.js';
import { attempt, voidInvoice } from './collection.js';

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
  endpoint('POST', '/v1/invoices/:id/void', {}, ({ books, id }) => {
    const invoice = books.get('invoice', id);
    if (invoice.status === 'open') return voidInvoice(books, invoice);
    throw invalid(`An invoice that is ${invoice.status} cannot be voided.`, {
      code: 'status_transition_invalid',
    });
  }),
  endpoint(
    'GET',
    '/v1/invoice_payments',
    {
      ...paging,
      invoice: text.optional(),
      payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text }).optional(),
      status: z.enum(['open', 'paid', 'canceled']).optional(),
    },
    ({ books, parameters: { invoice, payment, status } }) =>
      listed(
        books
          .all('invoice_payment')
          .filter(
            (one) =>
              (invoice === undefined || one.invoice === invoice) &&
              (payment === undefined || one.payment.payment_intent === payment.payment_intent) &&
              (status === undefined || one.status === status),
          ),
      ),
  ),
  endpoint('GET', '/v1/invoice_payments/:id', {}, ({ books, id }) => books.get('invoice_payment', id)),
];
