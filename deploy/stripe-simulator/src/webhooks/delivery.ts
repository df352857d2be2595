import type { Books } from '../books.js';
import { matches, type StripeEvent } from '../resources/event.js';

/** An event on its way to the webhook. */
export interface Delivery {
  id: string;
  event: string;
  attempts: number;
  /** By the machine's clock, in ms. */
  dueAt: number;
  /** Among those that are due: the smallest first. */
  order: number;
  /** Why the last attempt failed. */
  failure: string | null;
}

/** Lets an event be sent, as the rules for webhooks say. */
export function enqueue(books: Books, event: StripeEvent): void {
  const { store, machineMs } = books.world;
  const rule = store.all('_webhook_rule').find(({ type }) => matches(type, event.type));
  const now = machineMs();
  if (!rule) return add(books, event.id, now);
  const until = rule.kind === 'reorder' && rule.until === 0 ? now + rule.ms : rule.until;
  if (rule.count > 1) store.put('_webhook_rule', null, { ...rule, count: rule.count - 1, until });
  else store.remove('_webhook_rule', rule.id);
  switch (rule.kind) {
    case 'drop':
      books.put('event', { ...event, pending_webhooks: 0 });
      return;
    case 'duplicate':
      add(books, event.id, now);
      add(books, event.id, now);
      return;
    case 'delay':
      add(books, event.id, now + rule.ms);
      return;
    case 'reorder':
      add(books, event.id, until, -1);
  }
}

/** @param direction -1: before those that are there */
export function add(books: Books, event: string, dueAt: number, direction: 1 | -1 = 1): void {
  const { store } = books.world;
  const orders = store.all('_delivery').map(({ order }) => order);
  books.put('_delivery', {
    id: books.newId('dlv_'),
    event,
    attempts: 0,
    dueAt,
    order: direction === 1 ? Math.max(0, ...orders) + 1 : Math.min(0, ...orders) - 1,
    failure: null,
  });
}
