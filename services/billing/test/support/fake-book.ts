import type { Clock } from '@pulso/platform/time/clock';
import type {
  Currency,
  Pair,
  ProviderAccount,
  ProviderCheckout,
  ProviderDispute,
  ProviderEvent,
  ProviderSubscription,
} from '../../src/provider/payment-provider.js';

/** A month of this provider: each has 30 days. */
export const MONTH_MS = 30 * 24 * 60 * 60_000;

/** What the fake throws, sorted as `failureOf` says. */
export class FakeFailure extends Error {
  constructor(
    readonly is: 'refused' | 'not-executed' | 'unknown',
    message: string,
  ) {
    super(message);
  }
}

interface Refund {
  refundId: string;
  paymentId: string;
  amountMinor: number;
  reason: string;
}

export type OpenCheckout = ProviderCheckout & { pair: Pair; amountMinor: number; currency: Currency };

/**
 * What a payment provider in memory has, and what payers, coaches and its own people do there. Its time is the clock's; what
 * time brings, such as renewals, happens with `turn`. Each act stages an event, which the test delivers, or not.
 */
export class FakeBook {
  readonly customers = new Map<
    string,
    { userId: string; currency: Currency; isCardGood: boolean; accountId: string | null }
  >();
  readonly prices = new Map<string, { coachId: string; amountMinor: number; currency: Currency }>();
  readonly accounts = new Map<string, ProviderAccount>();
  readonly checkouts = new Map<string, OpenCheckout>();
  readonly subscriptions = new Map<string, ProviderSubscription>();
  readonly refunds: Refund[] = [];
  /** What coaches have had to give back of disputed payments, by the dispute; what they have got again is taken off. */
  readonly sharesTaken = new Map<string, number>();
  /** Whose payments are not collected; what they are billed meanwhile is void. */
  private readonly paused = new Set<string>();
  /** What it has to tell, the oldest first; `takeEvents` empties it. */
  private events: ProviderEvent[] = [];
  private made = 0;

  constructor(protected readonly clock: Pick<Clock, 'now'>) {}

  takeEvents(): ProviderEvent[] {
    return this.events.splice(0);
  }

  /** All that was paid for a subscription and not paid back, in minor units. */
  keptMinor(subscriptionId: string): number {
    const { latestPayment } = this.subscription(subscriptionId);
    return latestPayment ? latestPayment.paidMinor - latestPayment.refundedMinor : 0;
  }

  /** Those of a pair that live. */
  living({ userId, coachId }: Pair): ProviderSubscription[] {
    return [...this.subscriptions.values()].filter(
      ({ pair, status }) =>
        pair.userId === userId && pair.coachId === coachId && (status === 'active' || status === 'past_due'),
    );
  }

  /** A customer without a call of Pulso, as one of a test's beginning. */
  customer(userId: string, currency: Currency, accountId: string | null = null): string {
    const id = this.newId('cus', accountId);
    this.customers.set(id, { userId, currency, isCardGood: true, accountId });
    return id;
  }

  /** Pays for a subscription outside of a checkout: one more than Pulso would sell. Returns its id. */
  subscribe(customerId: string, coachId: string, amountMinor = 40_000): string {
    const { userId, currency } = this.customers.get(customerId)!;
    return this.begin({ userId, coachId }, { customerId, amountMinor, currency });
  }

  /** Pays on the page of an open checkout. Returns the subscription's id. */
  pay(checkoutId: string): string {
    const checkout = this.openCheckout(checkoutId);
    const subscriptionId = this.begin(checkout.pair, checkout);
    this.putCheckout({ ...checkout, state: 'complete', url: null, subscriptionId });
    this.tell('checkout.session.completed', { customerId: checkout.customerId });
    return subscriptionId;
  }

  onboard(accountId: string, isReady = true): void {
    this.accounts.set(accountId, { id: accountId, isReady });
    this.tell('account.updated', { accountId });
  }

  setCard(customerId: string, isCardGood: boolean): void {
    this.customers.set(customerId, { ...this.customers.get(customerId)!, isCardGood });
  }

  /** In the portal: to end with its period, or to go on. */
  setEnding(subscriptionId: string, cancelAtPeriodEnd: boolean): void {
    this.change(subscriptionId, { cancelAtPeriodEnd });
  }

  /** In a portal that lets plans be switched: to the price of another coach. */
  switchPlan(subscriptionId: string, priceCoachId: string, amountMinor: number): void {
    this.change(subscriptionId, { priceCoachId, amountMinor });
  }

  /** On the provider's dashboard: payments are collected no more, or again. */
  setPaused(subscriptionId: string, isPaused: boolean): void {
    if (isPaused) this.paused.add(subscriptionId);
    else this.paused.delete(subscriptionId);
    this.change(subscriptionId, {});
  }

  /** On the provider's dashboard, or after the last try to be paid. */
  end(subscriptionId: string): void {
    if (this.subscription(subscriptionId).endedAt !== null) return;
    this.change(subscriptionId, { status: 'cancelled', endedAt: this.clock.now() });
  }

  /** Takes a missing payment again. Returns whether it was paid. */
  retryPayment(subscriptionId: string): boolean {
    const { status, customerId, amountMinor, latestPayment } = this.subscription(subscriptionId);
    if (status !== 'past_due' || !this.customers.get(customerId)!.isCardGood) return false;
    const paymentId = this.newId('pay', accountOf(subscriptionId));
    const paid = { ...latestPayment!, paymentId, paidMinor: amountMinor };
    this.change(subscriptionId, { status: 'active', unpaidSince: null, latestPayment: paid });
    return true;
  }

  /** The payer disputes the latest payment at the bank. Returns the dispute's id. */
  dispute(subscriptionId: string): string {
    const { latestPayment, disputes } = this.subscription(subscriptionId);
    const { paymentId, paidMinor } = latestPayment!;
    const id = this.newId('dp', accountOf(subscriptionId));
    const dispute = { id, paymentId: paymentId!, amountMinor: paidMinor, state: 'open' as const };
    this.setDisputes(subscriptionId, [...disputes, dispute]);
    this.tell('charge.dispute.created', { disputeId: id });
    return id;
  }

  /** The bank has decided. */
  decideDispute(disputeId: string, state: 'won' | 'lost'): void {
    const { id, disputes } = this.disputed(disputeId);
    this.setDisputes(
      id,
      disputes.map((each) => (each.id === disputeId ? { ...each, state } : each)),
    );
    this.tell('charge.dispute.closed', { disputeId });
  }

  protected disputed(disputeId: string): ProviderSubscription {
    const found = [...this.subscriptions.values()].find(({ disputes }) =>
      disputes.some(({ id }) => id === disputeId),
    );
    if (!found) throw new FakeFailure('refused', 'no such dispute');
    return found;
  }

  protected setDisputes(id: string, disputes: readonly ProviderDispute[]): void {
    this.subscriptions.set(id, { ...this.subscription(id), disputes });
  }

  /** Ends and renews what is due by the clock. */
  turn(): void {
    for (const { id } of this.subscriptions.values()) this.turnSubscription(id);
    for (const checkout of this.checkouts.values()) this.turnCheckout(checkout);
  }

  protected turnSubscription(id: string): void {
    while (this.subscription(id).endedAt === null && this.isDue(id)) this.renew(id);
  }

  protected turnCheckout(checkout: OpenCheckout): void {
    if (checkout.state === 'open' && checkout.expiresAt <= this.clock.now()) this.close(checkout);
  }

  protected begin(
    pair: Pair,
    { customerId, amountMinor, currency }: { customerId: string; amountMinor: number; currency: Currency },
  ): string {
    const now = this.clock.now();
    const period = { periodStart: now, periodEnd: now + MONTH_MS };
    const account = accountOf(customerId);
    const id = this.newId('sub', account);
    this.subscriptions.set(id, {
      ...{
        id,
        customerId,
        pair,
        priceCoachId: pair.coachId,
        status: 'active',
        amountMinor,
        currency,
        createdAt: now,
      },
      ...{ currentPeriodStart: now, currentPeriodEnd: period.periodEnd, cancelAtPeriodEnd: false },
      ...{ endedAt: null, unpaidSince: null, disputes: [] },
      latestPayment: {
        ...{ id: this.newId('in'), paymentId: this.newId('pay', account), paidMinor: amountMinor },
        ...{ refundedMinor: 0, ...period },
      },
    });
    this.tell('customer.subscription.created', { customerId });
    return id;
  }

  private isDue(id: string): boolean {
    return this.subscription(id).currentPeriodEnd <= this.clock.now();
  }

  private renew(id: string): void {
    const { currentPeriodEnd, cancelAtPeriodEnd, amountMinor, customerId, unpaidSince } =
      this.subscription(id);
    if (cancelAtPeriodEnd) {
      this.change(id, { status: 'cancelled', endedAt: currentPeriodEnd });
      return;
    }
    const period = { periodStart: currentPeriodEnd, periodEnd: currentPeriodEnd + MONTH_MS };
    const isPaused = this.paused.has(id);
    const isPaid = !isPaused && this.customers.get(customerId)!.isCardGood && unpaidSince === null;
    const isBehind = !isPaid && (!isPaused || unpaidSince !== null);
    this.change(id, {
      ...{ currentPeriodStart: period.periodStart, currentPeriodEnd: period.periodEnd },
      status: isBehind ? 'past_due' : 'active',
      unpaidSince: isBehind ? (unpaidSince ?? currentPeriodEnd) : null,
      latestPayment: {
        ...{ id: this.newId('in'), paymentId: isPaid ? this.newId('pay', accountOf(id)) : null },
        ...{ paidMinor: isPaid ? amountMinor : 0, refundedMinor: 0, ...period },
      },
    });
  }

  protected subscription(id: string): ProviderSubscription {
    const found = this.subscriptions.get(id);
    if (!found) throw new FakeFailure('refused', 'no such subscription');
    return found;
  }

  protected change(id: string, fields: Partial<ProviderSubscription>): ProviderSubscription {
    const changed = { ...this.subscription(id), ...fields };
    this.subscriptions.set(id, changed);
    this.tell('customer.subscription.updated', { customerId: changed.customerId });
    return changed;
  }

  private openCheckout(checkoutId: string): OpenCheckout {
    const checkout = this.checkouts.get(checkoutId);
    if (checkout?.state !== 'open') throw new FakeFailure('refused', 'it is not open');
    return checkout;
  }

  protected putCheckout(checkout: OpenCheckout): void {
    this.checkouts.set(checkout.id, checkout);
  }

  protected close(checkout: OpenCheckout): OpenCheckout {
    const closed: OpenCheckout = { ...checkout, state: 'expired', url: null };
    this.putCheckout(closed);
    if (checkout.state === 'open') this.tell('checkout.session.expired', { customerId: closed.customerId });
    return closed;
  }

  private tell(
    type: string,
    about: Partial<Pick<ProviderEvent, 'customerId' | 'accountId' | 'disputeId'>>,
  ): void {
    const { customerId = null, accountId = null, disputeId = null } = about;
    const [id, createdAt] = [this.newId('evt'), this.clock.now()];
    const account = accountId ?? accountOf(customerId ?? disputeId ?? '');
    this.events.push({ id, type, account, createdAt, customerId, accountId, disputeId });
  }

  /** On a coach's account, or on the platform's own (null). */
  protected newId(kind: string, account: string | null = null): string {
    this.made += 1;
    return account === null ? `${kind}_${this.made}` : `${account}/${kind}_${this.made}`;
  }
}

/** The coach's account that something is on; null for the platform's own. */
export const accountOf = (id: string): string | null => (id.includes('/') ? id.split('/')[0]! : null);
