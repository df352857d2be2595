import type { Clock } from '@pulso/platform/time/clock';
import type {
  Currency,
  Pair,
  ProviderPayment,
  ProviderSubscription,
} from '../../src/provider/payment-provider.js';
import { FakeFailure, type OpenCheckout } from '../support/fake-book.js';
import { FakeProvider } from '../support/fake-provider.js';

/** A payment that the provider has taken, or has tried to take, for a period of a subscription. */
export interface LedgerPayment extends ProviderPayment {
  subscriptionId: string;
}

export const keyOf = ({ userId, coachId }: Pair): string => `${userId}_${coachId}`;

/** Ids by what they belong to, the oldest first. */
class Index {
  private readonly idsOf = new Map<string, string[]>();

  add(of: string, id: string): void {
    const known = this.idsOf.get(of);
    if (known) known.push(id);
    else this.idsOf.set(of, [id]);
  }

  get(of: string): readonly string[] {
    return this.idsOf.get(of) ?? [];
  }
}

/**
 * The provider in memory, which also keeps all that was ever paid. A town has thousands of subscriptions, most of them over, so
 * that it finds what a user, a customer or a pair has without a search.
 */
export class YearBook extends FakeProvider {
  private readonly payments = new Map<string, Map<string, LedgerPayment>>();
  private readonly payers = new Map<string, string>();
  private readonly olderRefunds = new Map<string, { refundId: string; amountMinor: number }>();
  private readonly ofPair = new Index();
  private readonly ofPayer = new Index();
  private readonly ofUser = new Index();
  private readonly pages = new Index();
  private readonly unended = new Set<string>();
  private readonly openPages = new Set<string>();
  private readonly withDisputes = new Set<string>();

  constructor(clock: Pick<Clock, 'now'>) {
    super(clock);
  }

  /** All payments of a subscription, the oldest first. */
  paymentsOf(subscriptionId: string): LedgerPayment[] {
    return [...(this.payments.get(subscriptionId)?.values() ?? [])];
  }

  /** All subscriptions of a pair, the oldest first. */
  of(pair: Pair): ProviderSubscription[] {
    return this.ofPair.get(keyOf(pair)).map((id) => this.subscription(id));
  }

  /** One that was begun, as it is now. */
  present(id: string): ProviderSubscription {
    return this.subscription(id);
  }

  /** A user's customers: one for each currency, each with a card of its own. */
  customersOf(userId: string): readonly string[] {
    return this.ofUser.get(userId);
  }

  /** The pages of a pair that can be paid now. */
  openPagesOf(pair: Pair): OpenCheckout[] {
    const now = this.clock.now();
    return this.pages
      .get(keyOf(pair))
      .map((id) => this.checkouts.get(id)!)
      .filter(({ state, expiresAt }) => state === 'open' && now < expiresAt);
  }

  /** All subscriptions of which a payment was ever disputed. */
  disputedOnes(): ProviderSubscription[] {
    return [...this.withDisputes].map((id) => this.subscription(id));
  }

  /** Whether the bank decides on the payment, or has decided. */
  isDisputed(paymentId: string): boolean {
    return this.disputedOnes().some(({ disputes }) => disputes.some((each) => each.paymentId === paymentId));
  }

  /** The provider's people pay back a part of the latest payment. Returns its id; undefined where there is nothing left of it. */
  refundThere(id: string, share: number): { paymentId: string; amountMinor: number } | undefined {
    const { latestPayment } = this.subscription(id);
    if (!latestPayment?.paymentId) return undefined;
    const { paymentId, paidMinor, refundedMinor } = latestPayment;
    const amountMinor = Math.floor((paidMinor - refundedMinor) * share);
    if (amountMinor === 0) return undefined;
    this.change(id, { latestPayment: { ...latestPayment, refundedMinor: refundedMinor + amountMinor } });
    return { paymentId, amountMinor };
  }

  /** Pays back of a payment that is not the last one of its subscription, once for a key; undefined for all others. */
  refundOlder(paymentId: string, amountMinor: number, key: string) {
    const known = this.olderRefunds.get(key);
    if (known) return known;
    const payments = this.payments.get(this.payers.get(paymentId) ?? '');
    const payment = [...(payments?.values() ?? [])].slice(0, -1).find((each) => each.paymentId === paymentId);
    if (!payment) return undefined;
    if (this.isDisputed(paymentId)) throw new FakeFailure('refused', 'the payment is disputed');
    const refundedMinor = payment.refundedMinor + amountMinor;
    if (refundedMinor > payment.paidMinor) throw new FakeFailure('refused', 'more than was paid');
    payments!.set(payment.id, { ...payment, refundedMinor });
    const refund = { refundId: this.newId('re'), amountMinor };
    this.refunds.push({ ...refund, paymentId, reason: 'older' });
    this.olderRefunds.set(key, refund);
    return refund;
  }

  /** What a key has paid back of an older payment. */
  olderRefund(key: string) {
    return this.olderRefunds.get(key);
  }

  override customer(userId: string, currency: Currency): string {
    const id = super.customer(userId, currency);
    this.ofUser.add(userId, id);
    return id;
  }

  override living(pair: Pair): ProviderSubscription[] {
    return this.of(pair).filter(({ status }) => status === 'active' || status === 'past_due');
  }

  override turn(): void {
    for (const id of this.unended) this.turnSubscription(id);
    for (const id of this.openPages) this.turnCheckout(this.checkouts.get(id)!);
  }

  protected override ofCustomer(customerId: string): ProviderSubscription[] {
    return this.ofPayer.get(customerId).map((id) => this.subscription(id));
  }

  protected override begin(...given: Parameters<FakeProvider['begin']>): string {
    const id = super.begin(...given);
    const [pair, { customerId }] = given;
    this.ofPair.add(keyOf(pair), id);
    this.ofPayer.add(customerId, id);
    this.unended.add(id);
    this.note(this.subscription(id));
    return id;
  }

  /** What is as it was is told to nobody. */
  protected override change(id: string, fields: Partial<ProviderSubscription>): ProviderSubscription {
    const present = this.subscription(id);
    const names = Object.keys(fields) as (keyof ProviderSubscription)[];
    if (names.length > 0 && names.every((name) => fields[name] === present[name])) return present;
    const changed = super.change(id, fields);
    if (changed.endedAt !== null) this.unended.delete(id);
    this.note(changed);
    return changed;
  }

  protected override setDisputes(id: string, disputes: ProviderSubscription['disputes']): void {
    super.setDisputes(id, disputes);
    this.withDisputes.add(id);
  }

  protected override putCheckout(checkout: OpenCheckout): void {
    const { id, pair, state, expiresAt } = checkout;
    if (!this.checkouts.has(id)) {
      if (expiresAt <= this.clock.now()) throw new FakeFailure('refused', 'the page would be closed at once');
      this.pages.add(keyOf(pair), id);
    }
    super.putCheckout(checkout);
    if (state === 'open') this.openPages.add(id);
    else this.openPages.delete(id);
  }

  private note({ id, latestPayment }: ProviderSubscription): void {
    if (!latestPayment) return;
    const known = this.payments.get(id) ?? new Map<string, LedgerPayment>();
    known.set(latestPayment.id, { ...latestPayment, subscriptionId: id });
    this.payments.set(id, known);
    if (latestPayment.paymentId) this.payers.set(latestPayment.paymentId, id);
  }
}
