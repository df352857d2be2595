import type { Books } from '../books.js';
import { after } from '../clock.js';
import { draftInvoice, putAside } from './invoice.js';
import { cancelNow, change, itemOf, type Subscription, type SubscriptionItem } from './subscription.js';

/** The period has ended: the subscription ends with it, or is billed for the next one. */
export function renew(books: Books, before: Subscription): void {
  if (before.cancel_at_period_end) {
    cancelNow(books, before);
    return;
  }
  const item = itemOf(before);
  const { interval, interval_count: count } = item.price.recurring;
  const periods = before._periods + 1;
  const next: SubscriptionItem = {
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: after(before.billing_cycle_anchor, interval, count * periods),
  };
  const renewed = { ...before, items: { ...before.items, data: [next] as [SubscriptionItem] } };
  const invoice = draftInvoice(books, renewed, 'subscription_cycle');
  if (before.pause_collection) putAside(books, invoice, before.pause_collection.behavior);
  change(books, before, {
    _periods: periods,
    items: { ...before.items, data: [next] },
    latest_invoice: invoice.id,
  });
}
