import type { World } from '../books.js';
import { itemOf, type Subscription } from '../resources/subscription.js';
import { html, type Html } from './html.js';

/** How a page calls a customer: by name and address, else by the id that Pulso has for the user. */
export function payerOf({ store }: World, customerId: string | null): Html {
  const customer = customerId === null ? undefined : store.find('customer', customerId)?.value;
  if (!customer) return html`<span class="dimmed">unknown</span>`;
  const { name, email, metadata } = customer;
  const said = [name, email].filter(Boolean).join(', ');
  return said ? html`${said}` : html`<code>${metadata.pulso_user ?? customer.id}</code>`;
}

/** What a subscription is to: the name of its product, which is the coach's. */
export function coachOf({ store }: World, subscription: Subscription): Html {
  const product = store.find('product', itemOf(subscription).price.product)?.value;
  return html`${product?.name ?? subscription.metadata.pulso_coach ?? 'unknown'}`;
}
