import type { Books } from '../books.js';
import { amountOf, itemOf, type PauseBehavior, type Subscription } from './subscription.js';

type Reason = 'subscription_create' | 'subscription_cycle';

export interface Invoice {
  id: string;
  object: 'invoice';
  account_country: string;
  amount_due: number;
  amount_overpaid: 0;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  automatically_finalizes_at: number | null;
  billing_reason: Reason;
  collection_method: 'charge_automatically';
  created: number;
  currency: string;
  customer: string;
  customer_email: string | null;
  default_payment_method: string | null;
  description: null;
  due_date: null;
  ending_balance: number | null;
  hosted_invoice_url: null;
  lines: { object: 'list'; data: object[]; has_more: false; url: string };
  livemode: false;
  metadata: Record<string, string>;
  next_payment_attempt: number | null;
  number: string | null;
  on_behalf_of: string | null;
  parent: {
    quote_details: null;
    subscription_details: { metadata: Record<string, string>; subscription: string };
    type: 'subscription_details';
  };
  period_end: number;
  period_start: number;
  starting_balance: 0;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
  };
  subtotal: number;
  test_clock: null;
  total: number;
  /** Its invoice_payment; null while it is a draft. */
  _payment: string | null;
  /** How many scheduled attempts have failed. */
  _failures: number;
}

export interface InvoicePayment {
  id: string;
  object: 'invoice_payment';
  amount_paid: number | null;
  amount_requested: number;
  created: number;
  currency: string;
  invoice: string;
  is_default: true;
  livemode: false;
  payment: { type: 'payment_intent'; payment_intent: string };
  status: 'open' | 'paid' | 'canceled';
  status_transitions: { canceled_at: number | null; paid_at: number | null };
}

/** A renewal's invoice can be changed for an hour before it is charged. */
const DRAFT_LIVES = 3_600;
/** An invoice of the period that the subscription is in. */
export function draftInvoice(books: Books, one: Subscription, reason: Reason): Invoice {
  const id = books.newId('in_');
  const amount = amountOf(one);
  const item = itemOf(one);
  const period = { start: item.current_period_start, end: item.current_period_end };
  const isFirst = reason === 'subscription_create';
  const customer = books.get('customer', one.customer);
  const invoice = books.put('invoice', {
    id,
    object: 'invoice',
    account_country: 'MX',
    amount_due: amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: amount,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatically_finalizes_at: isFirst ? null : books.now + DRAFT_LIVES,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: books.now,
    currency: one.currency,
    customer: one.customer,
    customer_email: customer.email,
    default_payment_method: null,
    description: null,
    due_date: null,
    ending_balance: null,
    hosted_invoice_url: null,
    lines: {
      object: 'list',
      data: [
        {
          id: books.newId('il_'),
          object: 'line_item',
          amount,
          currency: one.currency,
          description: null,
          invoice: id,
          livemode: false,
          metadata: one.metadata,
          parent: {
            invoice_item_details: null,
            subscription_item_details: { proration: false, subscription: one.id, subscription_item: item.id },
            type: 'subscription_item_details',
          },
          period,
          pricing: {
            price_details: { price: item.price.id, product: item.price.product },
            type: 'price_details',
            unit_amount_decimal: item.price.unit_amount_decimal,
          },
          quantity: item.quantity,
          subtotal: amount,
        },
      ],
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: isFirst ? null : books.now + DRAFT_LIVES,
    number: null,
    on_behalf_of: one.on_behalf_of,
    parent: {
      quote_details: null,
      subscription_details: { metadata: one.metadata, subscription: one.id },
      type: 'subscription_details',
    },
    // Of a renewal, as at Stripe, the period that has ended; what is billed stands in the lines.
    period_end: isFirst ? books.now : period.start,
    period_start: isFirst ? books.now : Math.max(one.start_date, previousStart(books, one)),
    starting_balance: 0,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: amount,
    test_clock: null,
    total: amount,
    _payment: null,
    _failures: 0,
  });
  books.emit('invoice.created', invoice);
  return invoice;
}

/** What becomes of a new invoice while collection is paused: nobody is charged for it, and the subscription stays as it is. */
export function putAside(books: Books, draft: Invoice, behavior: PauseBehavior): Invoice {
  const kept: Invoice = {
    ...draft,
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
  };
  if (behavior === 'keep_as_draft') return books.put('invoice', kept);
  const isVoid = behavior === 'void';
  const at = { finalized_at: books.now, [isVoid ? 'voided_at' : 'marked_uncollectible_at']: books.now };
  const aside = books.put('invoice', {
    ...kept,
    ending_balance: 0,
    status: isVoid ? 'void' : 'uncollectible',
    status_transitions: { ...draft.status_transitions, ...at },
  });
  books.emit(isVoid ? 'invoice.voided' : 'invoice.marked_uncollectible', aside);
  return aside;
}

const previousStart = (books: Books, { id }: Subscription) => {
  const before = books.find('subscription', id);
  return before ? itemOf(before).current_period_start : 0;
};
