import Stripe from 'stripe';
import type { CallContext } from '../provider/payment-provider.js';
import { all, within } from './stripe-client.js';
import { optionsOf, type Place } from './stripe-place.js';

const PAGE = 100;

/** The invoices of a subscription that can still be paid: Stripe asks for them no more once it has ended, and takes the money. */
export async function openInvoices(
  stripe: Stripe,
  { account, id: subscription }: Place,
  signal: AbortSignal,
) {
  const found: string[] = [];
  const list = stripe.invoices.list({ subscription, status: 'open', limit: PAGE }, optionsOf(account));
  for await (const { id } of all(list, signal)) found.push(id);
  return found;
}

/** Voids them, so that nobody pays for days without access (SUBS-36). May be repeated. */
export async function voidOpenInvoices(
  stripe: Stripe,
  subscription: Place,
  { key, apiVersion, signal }: CallContext,
): Promise<void> {
  const at = optionsOf(subscription.account);
  for (const id of await openInvoices(stripe, subscription, signal)) {
    const once = { idempotencyKey: `${key}-void-${id}`, apiVersion, ...at };
    try {
      await within(signal, () => stripe.invoices.voidInvoice(id, {}, once));
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      // Paid or voided just now.
      const { status } = await within(signal, () => stripe.invoices.retrieve(id, {}, at));
      if (status === 'open') throw error;
    }
  }
}
