import { z } from 'zod';
import type { Books } from '../books.js';
import { endpoint, listed } from '../http/endpoint.js';
import { mergeMetadata, metadata, paging, text } from '../http/parameters.js';
import { invalid } from '../http/stripe-error.js';
import { cancelNow, isLive } from './subscription.js';

export interface Customer {
  id: string;
  object: 'customer';
  address: null;
  balance: 0;
  created: number;
  /** That of its subscriptions; null until it has paid one. */
  currency: string | null;
  default_source: null;
  delinquent: boolean;
  description: string | null;
  discount: null;
  email: string | null;
  invoice_prefix: string;
  invoice_settings: {
    custom_fields: null;
    default_payment_method: string | null;
    footer: null;
    rendering_options: null;
  };
  livemode: false;
  metadata: Record<string, string>;
  name: string | null;
  next_invoice_sequence: number;
  phone: string | null;
  preferred_locales: string[];
  shipping: null;
  tax_exempt: 'none';
  test_clock: null;
  _isDeleted: boolean;
}

const given = {
  description: text.optional(),
  email: z.email().max(512).optional(),
  metadata: metadata.optional(),
  name: text.optional(),
  phone: text.optional(),
  preferred_locales: z.array(text).optional(),
};

export function createCustomer(
  books: Books,
  { metadata: own, ...fields }: z.output<z.ZodObject<typeof given>>,
) {
  const customer = books.put('customer', {
    id: books.newId('cus_', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: books.now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: books.newId('', 8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata({}, own),
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    _isDeleted: false,
    ...fields,
  });
  books.emit('customer.created', customer);
  return customer;
}

/** A customer who was not deleted. */
export function livingCustomer(books: Books, id: string, param?: string): Customer {
  const customer = books.get('customer', id, param);
  if (customer._isDeleted) throw invalid(`No such customer: '${id}'`, { code: 'resource_missing', param });
  return customer;
}

/** Stripe bills a customer in one currency at a time. Throws where a live subscription has another one. */
export function requireCurrency(books: Books, customer: Customer, currency: string): void {
  const other = books
    .all('subscription')
    .find((one) => one.customer === customer.id && isLive(one) && one.currency !== currency);
  if (other)
    throw invalid(
      `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${other.currency}`,
    );
}

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', given, ({ books, parameters }) => createCustomer(books, parameters)),
  endpoint('GET', '/v1/customers/:id', {}, ({ books, id }) => {
    const customer = books.get('customer', id);
    return customer._isDeleted ? { id, object: 'customer', deleted: true } : customer;
  }),
  endpoint(
    'GET',
    '/v1/customers',
    { ...paging, email: text.optional() },
    ({ books, parameters: { email } }) =>
      listed(
        books
          .all('customer')
          .filter((customer) => !customer._isDeleted && (email === undefined || customer.email === email)),
      ),
  ),
  endpoint(
    'POST',
    '/v1/customers/:id',
    {
      ...given,
      invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
    },
    ({ books, id, parameters: { metadata: change, invoice_settings: settings, ...fields } }) => {
      const before = livingCustomer(books, id);
      const method = settings?.default_payment_method;
      if (method !== undefined)
        books.get('payment_method', method, 'invoice_settings[default_payment_method]');
      const customer = books.put('customer', {
        ...before,
        ...fields,
        invoice_settings: {
          ...before.invoice_settings,
          default_payment_method: method ?? before.invoice_settings.default_payment_method,
        },
        metadata: mergeMetadata(before.metadata, change),
      });
      books.emit('customer.updated', customer, {});
      return customer;
    },
  ),
  endpoint('DELETE', '/v1/customers/:id', {}, ({ books, id }) => {
    const before = livingCustomer(books, id);
    for (const one of books.all('subscription'))
      if (one.customer === id && isLive(one)) cancelNow(books, one);
    books.put('customer', { ...before, _isDeleted: true });
    books.emit('customer._isDeleted', before);
    return { id, object: 'customer', deleted: true };
  }),
];
