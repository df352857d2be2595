import { Books, transact, type World } from './books.js';
import { DAY } from './clock.js';
import { PORTAL_LIVES } from './resources/portal-session.js';
import { expire } from './resources/checkout-session.js';
import { attempt, finalize } from './resources/collection.js';
import type { Kind, Kinds } from './kinds.js';
import { renew } from './resources/renewal.js';
import { isLive, itemOf, setPause, type Subscription } from './resources/subscription.js';
import type { Due } from './store/agenda.js';

/** How long events and saved answers are kept, as at Stripe. */
const EVENTS_KEPT = 30 * DAY;
const ANSWERS_KEPT = DAY;

const times: { [K in Kind]?: (value: Kinds[K]) => number | null } = {
  subscription: (one) => (isLive(one) ? nextOf(one) : null),
  invoice: (one) => (one.auto_advance ? (one.automatically_finalizes_at ?? one.next_payment_attempt) : null),
  'checkout.session': (one) => (one.status === 'open' ? one.expires_at + one._clientBehind : null),
  'billing_portal.session': (one) => one.created + PORTAL_LIVES,
  _page: (one) => one.expiresAt,
  _answer: (one) => one.created + ANSWERS_KEPT,
  event: (one) => one.created + EVENTS_KEPT,
};

/** The end of the period, or before it the end of a pause of collection. */
const nextOf = (one: Subscription) =>
  Math.min(itemOf(one).current_period_end, one.pause_collection?.resumes_at ?? Infinity);

/** When an object needs the clock's attention, in seconds; null: never. */
export function dueAt<K extends Kind>(kind: K, value: Kinds[K]): number | null {
  return times[kind]?.(value) ?? null;
}

/** Turns the simulator's clock ahead by so many ms. All that falls due on the way happens at its own time. */
export function advance(world: World, ms: number): void {
  const books = new Books(world, null);
  const targetMs = books.aheadMs + ms;
  const turnTo = (next: number) => {
    if (next > books.aheadMs) books.put('_clock', { id: 'clock', aheadMs: next });
  };
  for (;;) {
    const due = world.store.takeDue(Math.floor((world.machineMs() + targetMs) / 1000));
    if (!due) break;
    transact(world, () => {
      turnTo(Math.min(due.at * 1000 - world.machineMs(), targetMs));
      happen(world, due);
    });
  }
  transact(world, () => turnTo(targetMs));
}

/** Does what has fallen due by itself. */
export const tick = (world: World): void => advance(world, 0);

function happen(world: World, { kind, id }: Due): void {
  const found = world.store.find(kind as Kind, id);
  const books = new Books(world, found?.account ?? null);
  const at = found ? dueAt(kind as Kind, found.value) : null;
  if (!found || at === null || at > books.now) return;
  switch (kind as Kind) {
    case 'subscription': {
      const one = books.get('subscription', id);
      if ((one.pause_collection?.resumes_at ?? Infinity) <= books.now) setPause(books, one, null);
      else renew(books, one);
      return;
    }
    case 'invoice': {
      const invoice = books.get('invoice', id);
      if (invoice.status === 'draft') finalize(books, invoice);
      else attempt(books, invoice, 'schedule');
      return;
    }
    case 'checkout.session':
      expire(books, books.get('checkout.session', id));
      return;
    default:
      world.store.remove(kind as Kind, id);
  }
}
