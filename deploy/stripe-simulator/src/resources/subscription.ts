import { z } from 'zod';
import type { Books } from '../books.js';
import { after } from '../clock.js';
import { endpoint, listed } from '../http/endpoint.js';
import { flag, integer, mergeMetadata, metadata, paging, text } from '../http/parameters.js';
import { invalid, missing } from '../http/stripe-error.js';
import type { Price } from './price.js';

/** What becomes of the invoices that are made while collection is paused. */
export const PAUSE_BEHAVIORS = ['keep_as_draft', 'mark_uncollectible', 'void'] as const;
export type PauseBehavior = (typeof PAUSE_BEHAVIORS)[number];

export interface Subscription {
  id: string;
  object: 'subscription';
  application_fee_percent: number | null;
  automatic_tax: { enabled: false; liability: null };
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { comment: string | null; feedback: string | null; reason: string | null };
  collection_method: 'charge_automatically';
  created: number;
  currency: string;
  customer: string;
  days_until_due: null;
  default_payment_method: string | null;
  description: string | null;
  discounts: never[];
  ended_at: number | null;
  items: { object: 'list'; data: [SubscriptionItem]; has_more: false; url: string };
  latest_invoice: string | null;
  livemode: false;
  metadata: Record<string, string>;
  on_behalf_of: string | null;
  pause_collection: { behavior: PauseBehavior; resumes_at: number | null } | null;
  pending_update: null;
  schedule: null;
  start_date: number;
  status: 'active' | 'past_due' | 'canceled';
  test_clock: null;
  transfer_data: { amount_percent: null; destination: string } | null;
  trial_end: null;
  trial_start: null;
  /** How many periods have begun. */
  _periods: number;
}

export interface SubscriptionItem {
  id: string;
  object: 'subscription_item';
  created: number;
  current_period_end: number;
  current_period_start: number;
  discounts: never[];
  metadata: Record<string, string>;
  price: Price;
  quantity: number;
  subscription: string;
}

export interface SubscriptionTerms {
  customer: string;
  price: Price;
  quantity: number;
  metadata: Record<string, string>;
  description: string | null;
  feePercent: number | null;
  destination: string | null;
  onBehalfOf: string | null;
  paymentMethod: string;
}

export const isLive = ({ status }: Subscription) => status !== 'canceled';
export const itemOf = ({ items }: Subscription): SubscriptionItem => items.data[0];
export const amountOf = (one: Subscription): number => itemOf(one).price.unit_amount * itemOf(one).quantity;

/** A subscription that begins now; its first invoice is the caller's. */
export function begin(books: Books, terms: SubscriptionTerms): Subscription {
  const { now } = books;
  const id = books.newId('sub_');
  const { interval, interval_count: count } = terms.price.recurring;
  return books.put('subscription', {
    id,
    object: 'subscription',
    application_fee_percent: terms.feePercent,
    automatic_tax: { enabled: false, liability: null },
    billing_cycle_anchor: now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: terms.price.currency,
    customer: terms.customer,
    days_until_due: null,
    default_payment_method: terms.paymentMethod,
    description: terms.description,
    discounts: [],
    ended_at: null,
    items: {
      object: 'list',
      data: [
        {
          id: books.newId('si_', 14),
          object: 'subscription_item',
          created: now,
          current_period_end: after(now, interval, count),
          current_period_start: now,
          discounts: [],
          metadata: {},
          price: terms.price,
          quantity: terms.quantity,
          subscription: id,
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    metadata: terms.metadata,
    on_behalf_of: terms.onBehalfOf,
    pause_collection: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'active',
    test_clock: null,
    transfer_data:
      terms.destination === null ? null : { amount_percent: null, destination: terms.destination },
    trial_end: null,
    trial_start: null,
    _periods: 1,
  });
}

/** Stores a changed subscription and tells of it. `change` has the new values; their old ones go into the event. */
export function change(books: Books, before: Subscription, next: Partial<Subscription>): Subscription {
  const changed = books.put('subscription', { ...before, ...next });
  const names = (Object.keys(next) as (keyof Subscription)[]).filter(
    (name) => !name.startsWith('_') && JSON.stringify(before[name]) !== JSON.stringify(next[name]),
  );
  if (names.length > 0)
    books.emit(
      'customer.subscription.updated',
      changed,
      Object.fromEntries(names.map((name) => [name, before[name]])),
    );
  return changed;
}

export function cancelNow(
  books: Books,
  before: Subscription,
  reason: 'cancellation_requested' | 'payment_failed' = 'cancellation_requested',
  details: { comment?: string; feedback?: string } = {},
): Subscription {
  const { now } = books;
  stopCollecting(books, before.id);
  const ended = books.put('subscription', {
    ...before,
    canceled_at: before.canceled_at ?? now,
    cancellation_details: { ...before.cancellation_details, ...details, reason },
    ended_at: now,
    status: 'canceled',
  });
  books.emit('customer.subscription.deleted', ended);
  return ended;
}

export function setCancelAtPeriodEnd(books: Books, before: Subscription, cancels: boolean): Subscription {
  if (before.cancel_at_period_end === cancels) return before;
  return change(books, before, {
    cancel_at: cancels ? itemOf(before).current_period_end : null,
    cancel_at_period_end: cancels,
    canceled_at: cancels ? books.now : null,
    cancellation_details: {
      ...before.cancellation_details,
      reason: cancels ? 'cancellation_requested' : null,
    },
  });
}

/** Nothing more is charged for a subscription that has ended; its invoices stay as they are. */
function stopCollecting(books: Books, subscription: string): void {
  for (const invoice of books.all('invoice')) {
    const isWaiting = invoice.status === 'draft' || invoice.status === 'open';
    if (!isWaiting || invoice.parent.subscription_details.subscription !== subscription) continue;
    books.put('invoice', {
      ...invoice,
      auto_advance: false,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
    });
  }
}

/** Pauses collection, also until a time in seconds, or (null) collects again. The status stays as it is. */
export function setPause(
  books: Books,
  before: Subscription,
  pause: { behavior: PauseBehavior; resumesAt?: number } | null,
): Subscription {
  const paused = pause && { behavior: pause.behavior, resumes_at: pause.resumesAt ?? null };
  return change(books, before, { pause_collection: paused });
}

const pause = z.strictObject({
  behavior: z.enum(PAUSE_BEHAVIORS),
  resumes_at: integer.optional(),
});

const details = z.strictObject({ comment: text.optional(), feedback: text.optional() }).optional();

export const subscriptionEndpoints = [
  endpoint('GET', '/v1/subscriptions/:id', {}, ({ books, id }) => books.get('subscription', id)),
  endpoint(
    'GET',
    '/v1/subscriptions',
    {
      ...paging,
      customer: text.optional(),
      price: text.optional(),
      status: z
        .enum([
          'active',
          'past_due',
          'unpaid',
          'canceled',
          'incomplete',
          'incomplete_expired',
          'trialing',
          'paused',
          'all',
          'ended',
        ])
        .optional(),
    },
    ({ books, parameters: { customer, price, status } }) =>
      listed(
        books
          .all('subscription')
          .filter(
            (one) =>
              (customer === undefined || one.customer === customer) &&
              (price === undefined || itemOf(one).price.id === price) &&
              (status === 'all' ||
                (status === undefined && isLive(one)) ||
                (status === 'ended' && !isLive(one)) ||
                one.status === status),
          ),
      ),
  ),
  endpoint(
    'POST',
    '/v1/subscriptions/:id',
    {
      cancel_at_period_end: flag.optional(),
      cancellation_details: details,
      default_payment_method: text.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
      // An empty text collects again.
      pause_collection: z.union([pause, z.literal('')]).optional(),
      proration_behavior: z.enum(['none', 'create_prorations', 'always_invoice']).optional(),
    },
    ({ books, id, parameters }) => {
      const before = books.get('subscription', id);
      const { cancel_at_period_end: cancels, cancellation_details: given, metadata: own } = parameters;
      const { default_payment_method: method, description, pause_collection: paused } = parameters;
      if (!isLive(before) && [cancels, method, description, paused].some((one) => one !== undefined))
        throw invalid('A canceled subscription can only update its cancellation_details and metadata.', {
          code: 'invalid_canceled_subscription_fields',
        });
      if (method !== undefined) books.get('payment_method', method, 'default_payment_method');
      const changed = change(books, before, {
        cancellation_details: { ...before.cancellation_details, ...given },
        default_payment_method: method ?? before.default_payment_method,
        description: description ?? before.description,
        metadata: mergeMetadata(before.metadata, own),
      });
      const mended =
        paused === undefined
          ? changed
          : setPause(
              books,
              changed,
              paused === '' ? null : { behavior: paused.behavior, resumesAt: paused.resumes_at },
            );
      return cancels === undefined ? mended : setCancelAtPeriodEnd(books, mended, cancels);
    },
  ),
  endpoint(
    'DELETE',
    '/v1/subscriptions/:id',
    {
      cancellation_details: details,
      invoice_now: z.literal('false', 'the simulator bills nothing at the end').optional(),
      prorate: z.literal('false', 'the simulator has no prorations').optional(),
    },
    ({ books, id, parameters: { cancellation_details: given } }) => {
      const before = books.get('subscription', id);
      if (!isLive(before)) throw missing('subscription', id);
      return cancelNow(books, before, 'cancellation_requested', given);
    },
  ),
];
