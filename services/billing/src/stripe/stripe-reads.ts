import type Stripe from 'stripe';
import type {
  Currency,
  ProviderPayment,
  ProviderStatus,
  ProviderSubscription,
} from '../provider/payment-provider.js';
import { all, idOf, within } from './stripe-client.js';
import type { StripeDisputes } from './stripe-disputes.js';
import type { StripeMetadata } from './stripe-metadata.js';
import { idAt, optionsOf, type Place, placeOf } from './stripe-place.js';

const PAGE = 100;
const ENDED_KEPT_MS = 90 * 24 * 60 * 60_000;
const PAYMENTS = 'latest_invoice.payments';

/** Subscriptions as Stripe has them now. */
export class StripeReads {
  constructor(
    private readonly stripe: Stripe,
    private readonly metadata: StripeMetadata,
    private readonly disputes: StripeDisputes,
    private readonly now: () => number,
  ) {}

  /** One that Pulso has made. Throws where it is another's. */
  async subscription({ account, id }: Place, signal: AbortSignal): Promise<ProviderSubscription> {
    const given = await within(signal, () =>
      this.stripe.subscriptions.retrieve(id, { expand: [PAYMENTS] }, optionsOf(account)),
    );
    const read = await this.read(given, account, signal);
    if (!read) throw new Error(`The subscription ${id} at Stripe is not of this installation`);
    return read;
  }

  /** All of a customer's that are Pulso's, the oldest first; without those that ended more than 90 days ago undisputed. */
  async ofCustomer(customerId: string, signal: AbortSignal): Promise<ProviderSubscription[]> {
    const { account, id: customer } = placeOf(customerId);
    const found: ProviderSubscription[] = [];
    const since = this.now() - ENDED_KEPT_MS;
    const disputed = await this.disputes.ofCustomer({ account, id: customer }, signal);
    for await (const read of this.all({ customer, status: 'all' }, account, signal)) {
      const disputes = disputed.get(read.id) ?? [];
      if (read.endedAt === null || read.endedAt >= since || disputes.length > 0)
        found.push({ ...read, disputes });
    }
    return found.sort((one, other) => one.createdAt - other.createdAt);
  }

  /** All of Pulso's on an account that have not ended. */
  live(account: string | null, signal: AbortSignal): AsyncIterable<ProviderSubscription> {
    return this.all({}, account, signal);
  }

  private async *all(
    asked: Stripe.SubscriptionListParams,
    account: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderSubscription> {
    const pages = { ...asked, limit: PAGE, expand: [`data.${PAYMENTS}`] };
    const list = this.stripe.subscriptions.list(pages, optionsOf(account));
    for await (const given of all(list, signal)) {
      const read = await this.read(given, account, signal);
      if (read) yield read;
    }
  }

  private async read(
    given: Stripe.Subscription,
    account: string | null,
    signal: AbortSignal,
  ): Promise<ProviderSubscription | undefined> {
    const pair = this.metadata.pairOf(given.metadata);
    const [item] = given.items.data;
    if (!pair || !item) return undefined;
    const status = STATUS[given.status] ?? 'incomplete';
    const invoice = typeof given.latest_invoice === 'object' ? given.latest_invoice : null;
    return {
      id: idAt(account, given.id),
      customerId: idAt(account, idOf(given.customer)),
      pair,
      priceCoachId: this.metadata.coachOf(item.price.metadata),
      status,
      amountMinor: (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
      currency: given.currency.toUpperCase() as Currency,
      createdAt: given.created * 1000,
      currentPeriodStart: item.current_period_start * 1000,
      currentPeriodEnd: item.current_period_end * 1000,
      cancelAtPeriodEnd: given.cancel_at_period_end,
      endedAt: status === 'cancelled' ? (given.ended_at ?? given.canceled_at ?? given.created) * 1000 : null,
      unpaidSince:
        status === 'past_due' ? await this.unpaidSince({ account, id: given.id }, invoice, signal) : null,
      latestPayment: invoice && (await this.payment(invoice, account, signal)),
      disputes: [],
    };
  }

  /** Stripe goes on making invoices while one is not paid, so the latest is not always the oldest. */
  private async unpaidSince(
    { account, id }: Place,
    latest: Stripe.Invoice | null,
    signal: AbortSignal,
  ): Promise<number> {
    const { data } = await within(signal, () =>
      this.stripe.invoices.list({ subscription: id, status: 'open', limit: PAGE }, optionsOf(account)),
    );
    const made = [...data, ...(latest ? [latest] : [])].map(({ created }) => created * 1000);
    return made.length > 0 ? Math.min(...made) : this.now();
  }

  private async payment(
    invoice: Stripe.Invoice,
    account: string | null,
    signal: AbortSignal,
  ): Promise<ProviderPayment> {
    const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
    const intent = idOf(paid?.payment.payment_intent);
    const period = invoice.lines.data[0]?.period ?? { start: invoice.period_start, end: invoice.period_end };
    return {
      id: invoice.id,
      paymentId: idAt(account, intent),
      paidMinor: invoice.amount_paid,
      refundedMinor: intent === null ? 0 : await this.refunded({ account, id: intent }, signal),
      periodStart: period.start * 1000,
      periodEnd: period.end * 1000,
    };
  }

  private async refunded({ account, id }: Place, signal: AbortSignal): Promise<number> {
    const { data } = await within(signal, () =>
      this.stripe.refunds.list({ payment_intent: id, limit: PAGE }, optionsOf(account)),
    );
    return data
      .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      .reduce((sum, { amount }) => sum + amount, 0);
  }
}

/** Pulso sells no trials, so none is ever `paused`. */
const STATUS: Readonly<Record<string, ProviderStatus>> = {
  incomplete: 'incomplete',
  incomplete_expired: 'cancelled',
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'cancelled',
};
