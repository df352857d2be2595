import { Books, transact, type World } from '../books.js';
import { DAY } from '../clock.js';
import { advance } from '../due.js';
import { missing } from '../http/stripe-error.js';
import { setOnboarded, type Account } from '../resources/account.js';
import { payCheckout, type Attempt } from '../resources/checkout-payment.js';
import { answer, decide, type Dispute, escalate, openDispute } from '../resources/dispute.js';
import { changeCard } from '../resources/portal-session.js';
import { type PauseBehavior, setPause, type Subscription } from '../resources/subscription.js';
import type { Presence } from '../resources/charge.js';
import { add } from '../webhooks/delivery.js';
import { faultSchema, webhookRuleSchema, type Fault, type WebhookRule } from '../faults/rules.js';
import type { Charge } from '../resources/payment.js';
import type { z } from 'zod';

export interface State {
  /** The simulator's time, in seconds since the epoch. */
  now: number;
  /** How far it was turned ahead of the machine's, in ms. */
  aheadMs: number;
  /** Events that were not taken by the webhook yet. */
  undelivered: number;
  faults: Fault[];
  webhookRules: WebhookRule[];
}

const MOVES = {
  answer,
  escalate,
  win: (books: Books, id: string) => decide(books, id, true),
  lose: (books: Books, id: string) => decide(books, id, false),
} as const;
export type DisputeMove = keyof typeof MOVES;
export const DISPUTE_MOVES = Object.keys(MOVES) as DisputeMove[];

/** What was charged last for a subscription. Throws where nothing was. */
function latestCharge(books: Books, subscription: string): Charge {
  const paid = books
    .all('invoice')
    .filter(
      ({ status, parent }) => status === 'paid' && parent.subscription_details.subscription === subscription,
    )
    .at(-1);
  if (!paid?._payment) throw missing('paid invoice of the subscription', subscription);
  const { payment } = books.get('invoice_payment', paid._payment);
  const { latest_charge: charge } = books.get('payment_intent', payment.payment_intent);
  return books.get('charge', charge ?? '');
}

/** A year at once would be all renewals of all customers in one request. */
const FURTHEST = 366 * DAY * 1000;

/** What the page, the JSON API and tests can do to the simulator besides what Stripe can. */
export class Controls {
  constructor(
    readonly world: World,
    /** Called after each change, so that its events are sent. */
    readonly changed: () => void,
  ) {}

  state(): State {
    const { store } = this.world;
    const { now, aheadMs } = new Books(this.world, null);
    return {
      now,
      aheadMs,
      undelivered: store.all('_delivery').length,
      faults: store.all('_fault'),
      webhookRules: store.all('_webhook_rule'),
    };
  }

  /** Turns the clock ahead; what falls due on the way happens at its own time. */
  advance(ms: number): State {
    if (!Number.isSafeInteger(ms) || ms < 0 || ms > FURTHEST)
      throw new RangeError(`the clock goes ahead by 0 to ${FURTHEST} ms`);
    advance(this.world, ms);
    this.changed();
    return this.state();
  }

  /** Lets the next requests of the API fail. Throws a ZodError for a fault that is none. */
  addFault(given: z.input<typeof faultSchema>): Fault {
    const fault = faultSchema.parse(given);
    return this.#do((books) => books.put('_fault', { ...fault, id: books.newId('flt_') }));
  }

  /** Changes how the next events are sent. Throws a ZodError for a rule that is none. */
  addWebhookRule(given: z.input<typeof webhookRuleSchema>): WebhookRule {
    const rule = webhookRuleSchema.parse(given);
    return this.#do((books) => books.put('_webhook_rule', { ...rule, id: books.newId('whr_'), until: 0 }));
  }

  /** Takes back all faults and rules. Events that wait are sent now. */
  clear(): State {
    this.#do(({ world: { store, machineMs } }) => {
      for (const { id } of store.all('_fault')) store.remove('_fault', id);
      for (const { id } of store.all('_webhook_rule')) store.remove('_webhook_rule', id);
      for (const one of store.all('_delivery'))
        store.put('_delivery', store.find('_delivery', one.id)!.account, { ...one, dueAt: machineMs() });
    });
    return this.state();
  }

  /** Sends an event once more, also one that was dropped. */
  resend(event: string): void {
    const found = this.world.store.find('event', event);
    if (!found) throw missing('event', event);
    this.#do((books) => add(books.of(found.account), event, this.world.machineMs()));
  }

  /** Makes an account ready to be paid, or (false) takes that back. */
  onboard(account: string, isReady = true): Account {
    return this.#do((books) => setOnboarded(books, account, isReady));
  }

  /** The customer pays by another card from now on. */
  changeCard(customer: string, number: string): void {
    const found = this.world.store.find('customer', customer);
    if (!found) throw missing('customer', customer);
    this.#do((books) => changeCard(books.of(found.account), customer, number));
  }

  /** Pays a checkout as its page does. */
  pay(checkout: string, number: string | undefined, presence: Presence = 'authenticated'): Attempt {
    const found = this.world.store.find('checkout.session', checkout);
    if (!found || found.value.status !== 'open') throw missing('open checkout session', checkout);
    return this.#do((books) => payCheckout(books.of(found.account), found.value, presence, number));
  }

  /** The owner of the card disputes the latest payment of a subscription, or only asks about it. */
  dispute(subscription: string, isOnlyInquiry = false): Dispute {
    const { account } = this.#find('subscription', subscription);
    return this.#do((books) => {
      const own = books.of(account);
      return openDispute(own, latestCharge(own, subscription), isOnlyInquiry);
    });
  }

  /** What becomes of a dispute: the platform answers, the bank makes one of an inquiry, or decides. */
  moveDispute(dispute: string, to: DisputeMove): Dispute {
    const { account } = this.#find('dispute', dispute);
    return this.#do((books) => MOVES[to](books.of(account), dispute));
  }

  /** Pauses the collection of a subscription's payments, or (null) collects again. */
  pause(subscription: string, behavior: PauseBehavior | null): Subscription {
    const { account, value } = this.#find('subscription', subscription);
    return this.#do((books) => setPause(books.of(account), value, behavior && { behavior }));
  }

  #find<K extends 'subscription' | 'dispute'>(kind: K, id: string) {
    const found = this.world.store.find(kind, id);
    if (!found) throw missing(kind, id);
    return found;
  }

  #do<T>(work: (books: Books) => T): T {
    const result = transact(this.world, () => work(new Books(this.world, null)));
    this.changed();
    return result;
  }
}
