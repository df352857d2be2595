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
  async subscription(id: string, signal: AbortSignal): Promise<ProviderSubscription> {
    const given = await within(signal, () => this.stripe.subscriptions.retrieve(id, { expand: [PAYMENTS] }));
    const read = await this.read(given, signal);
    if (!read) throw new Error(`The subscription ${id} at Stripe is not of this installation`);
    return read;
  }

  /** All of a customer's that are Pulso's, the oldest first; without those that ended more than 90 days ago undisputed. */
  async ofCustomer(customer: string, signal: AbortSignal): Promise<ProviderSubscription[]> {
    const found: ProviderSubscription[] = [];
    const since = this.now() - ENDED_KEPT_MS;
    const disputed = await this.disputes.ofCustomer(customer, signal);
    for await (const read of this.all({ customer, status: 'all' }, signal)) {
      const disputes = disputed.get(read.id) ?? [];
      if (read.endedAt === null || read.endedAt >= since || disputes.length > 0)
        found.push({ ...read, disputes });
    }
    return found.sort((one, other) => one.createdAt - other.createdAt);
  }

  /** All of Pulso's that have not ended. */
  live(signal: AbortSignal): AsyncIterable<ProviderSubscription> {
    return this.all({}, signal);
  }

  private async *all(
    asked: Stripe.SubscriptionListParams,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderSubscription> {
    const list = this.stripe.subscriptions.list({ ...asked, limit: PAGE, expand: [`data.${PAYMENTS}`] });
    for await (const given of all(list, signal)) {
      const read = await this.read(given, signal);
      if (read) yield read;
    }
  }

  private async read(
    given: Stripe.Subscription,
    signal: AbortSignal,
  ): Promise<ProviderSubscription | undefined> {
    const pair = this.metadata.pairOf(given.metadata);
    const [item] = given.items.data;
    if (!pair || !item) return undefined;
    const status = STATUS[given.status] ?? 'incomplete';
    const invoice = typeof given.latest_invoice === 'object' ? given.latest_invoice : null;
    return {
      id: given.id,
      customerId: idOf(given.customer),
      pair,
      status,
      amountMinor: (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
      currency: given.currency.toUpperCase() as Currency,
      createdAt: given.created * 1000,
      currentPeriodStart: item.current_period_start * 1000,
      currentPeriodEnd: item.current_period_end * 1000,
      cancelAtPeriodEnd: given.cancel_at_period_end,
      endedAt: status === 'cancelled' ? (given.ended_at ?? given.canceled_at ?? given.created) * 1000 : null,
      unpaidSince: status === 'past_due' ? await this.unpaidSince(given, invoice, signal) : null,
      latestPayment: invoice && (await this.payment(invoice, signal)),
      disputes: [],
    };
  }

  /** Stripe goes on making invoices while one is not paid, so the latest is not always the oldest. */
  private async unpaidSince(
    { id }: Stripe.Subscription,
    latest: Stripe.Invoice | null,
    signal: AbortSignal,
  ): Promise<number> {
    const { data } = await within(signal, () =>
      this.stripe.invoices.list({ subscription: id, status: 'open', limit: PAGE }),
    );
    const made = [...data, ...(latest ? [latest] : [])].map(({ created }) => created * 1000);
    return made.length > 0 ? Math.min(...made) : this.now();
  }

  private async payment(invoice: Stripe.Invoice, signal: AbortSignal): Promise<ProviderPayment> {
    const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
    const paymentId = idOf(paid?.payment.payment_intent);
    const period = invoice.lines.data[0]?.period ?? { start: invoice.period_start, end: invoice.period_end };
    return {
      id: invoice.id,
      paymentId,
      paidMinor: invoice.amount_paid,
      refundedMinor: paymentId === null ? 0 : await this.refunded(paymentId, signal),
      periodStart: period.start * 1000,
      periodEnd: period.end * 1000,
    };
  }

  private async refunded(paymentId: string, signal: AbortSignal): Promise<number> {
    const { data } = await within(signal, () =>
      this.stripe.refunds.list({ payment_intent: paymentId, limit: PAGE }),
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
