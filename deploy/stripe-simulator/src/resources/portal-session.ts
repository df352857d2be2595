import type { Books } from '../books.js';
import { endpoint } from '../http/endpoint.js';
import { address, text } from '../http/parameters.js';
import { StripeError } from '../http/stripe-error.js';
import { livingCustomer } from './customer.js';
import { attempt } from './collection.js';
import { configurationOf } from './portal-configuration.js';
import { attach, cardBehind, newCard } from './payment-method.js';
import { change, isLive } from './subscription.js';

export interface PortalSession {
  id: string;
  object: 'billing_portal.session';
  configuration: string;
  created: number;
  customer: string;
  flow: null;
  livemode: false;
  locale: string | null;
  on_behalf_of: null;
  return_url: string | null;
  url: string;
}

/** How long a page of the portal can be used, in seconds. */
export const PORTAL_LIVES = 3_600;

/** The customer pays by another card from now on, and pays at once what is open. Throws Stripe's card_error for one that is refused. */
export function changeCard(books: Books, customerId: string, number: string): void {
  const card = newCard(books, number);
  const { first } = cardBehind(card);
  if (typeof first !== 'string')
    throw new StripeError(402, {
      type: 'card_error',
      code: first.code,
      decline_code: first.declineCode,
      message: first.message,
    });
  const method = attach(books, card, customerId);
  const before = books.get('customer', customerId);
  const customer = books.put('customer', {
    ...before,
    invoice_settings: { ...before.invoice_settings, default_payment_method: method.id },
  });
  books.emit('customer.updated', customer, { invoice_settings: before.invoice_settings });
  for (const one of books.all('subscription')) {
    if (one.customer === customerId && isLive(one)) change(books, one, { default_payment_method: method.id });
  }
  for (const invoice of books.all('invoice')) {
    if (invoice.customer === customerId && invoice.status === 'open' && invoice.auto_advance)
      attempt(books, invoice, 'owner');
  }
}

export const portalEndpoints = [
  endpoint(
    'POST',
    '/v1/billing_portal/sessions',
    {
      configuration: text.optional(),
      customer: text,
      locale: text.optional(),
      return_url: address.optional(),
    },
    ({ books, parameters }) => {
      const id = books.newId('bps_');
      return books.put('billing_portal.session', {
        id,
        object: 'billing_portal.session',
        configuration: configurationOf(books, parameters.configuration),
        created: books.now,
        customer: livingCustomer(books, parameters.customer, 'customer').id,
        flow: null,
        livemode: false,
        locale: parameters.locale ?? null,
        on_behalf_of: null,
        return_url: parameters.return_url ?? null,
        url: `${books.world.publicUrl}/p/session/${id}`,
      });
    },
  ),
];
