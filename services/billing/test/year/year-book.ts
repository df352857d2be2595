import type { Clock } from '@pulso/platform/time/clock';
import type { Pair, ProviderPayment, ProviderSubscription } from '../../src/provider/payment-provider.js';
import { FakeFailure } from '../support/fake-book.js';
import { FakeProvider } from '../support/fake-provider.js';

/** A payment that the provider has taken, or has tried to take, for a period of a subscription. */
export interface LedgerPayment extends ProviderPayment {
  subscriptionId: string;
}

export const keyOf = ({ userId, coachId }: Pair): string => `${userId}_${coachId}`;

/** The provider in memory, which also keeps all that was ever paid, and finds a pair's subscriptions without a search. */
export class YearBook extends FakeProvider {
  private readonly payments = new Map<string, Map<string, LedgerPayment>>();
  private readonly olderRefunds = new Map<string, { refundId: string; amountMinor: number }>();
  private readonly idsOfPair = new Map<string, string[]>();

  constructor(clock: Pick<Clock, 'now'>) {
    super(clock);
  }

  /** All payments of a subscription, the oldest first. */
  paymentsOf(subscriptionId: string): LedgerPayment[] {
    return [...(this.payments.get(subscriptionId)?.values() ?? [])];
  }

  /** All subscriptions of a pair, the oldest first. */
  of(pair: Pair): ProviderSubscription[] {
    return (this.idsOfPair.get(keyOf(pair)) ?? []).map((id) => this.subscription(id));
  }

  /** Pays back of a payment that is not the last one of its subscription, once for a key; undefined for all others. */
  refundOlder(paymentId: string, amountMinor: number, key: string) {
    const known = this.olderRefunds.get(key);
    if (known) return known;
    for (const payments of this.payments.values()) {
      const payment = [...payments.values()].slice(0, -1).find((each) => each.paymentId === paymentId);
      if (!payment) continue;
      const refundedMinor = payment.refundedMinor + amountMinor;
      if (refundedMinor > payment.paidMinor) throw new FakeFailure('refused', 'more than was paid');
      payments.set(payment.id, { ...payment, refundedMinor });
      const refund = { refundId: this.newId('re'), amountMinor };
      this.refunds.push({ ...refund, paymentId, reason: 'older' });
      this.olderRefunds.set(key, refund);
      return refund;
    }
    return undefined;
  }

  /** What a key has paid back of an older payment. */
  olderRefund(key: string) {
    return this.olderRefunds.get(key);
  }

  override living(pair: Pair): ProviderSubscription[] {
    return this.of(pair).filter(({ status }) => status === 'active' || status === 'past_due');
  }

  protected override begin(...given: Parameters<FakeProvider['begin']>): string {
    const id = super.begin(...given);
    const key = keyOf(given[0]);
    this.idsOfPair.set(key, [...(this.idsOfPair.get(key) ?? []), id]);
    this.note(this.subscription(id));
    return id;
  }

  protected override change(id: string, fields: Partial<ProviderSubscription>): ProviderSubscription {
    const changed = super.change(id, fields);
    this.note(changed);
    return changed;
  }

  private note({ id, latestPayment }: ProviderSubscription): void {
    if (!latestPayment) return;
    const known = this.payments.get(id) ?? new Map<string, LedgerPayment>();
    known.set(latestPayment.id, { ...latestPayment, subscriptionId: id });
    this.payments.set(id, known);
  }
}
