import type {
  CallContext,
  PayersDispute,
  PaymentProvider,
  ProviderAccount,
  ProviderCall,
  ProviderCheckout,
  ProviderEvent,
  ProviderSubscription,
  Rendered,
} from '../../src/provider/payment-provider.js';
import { accountOf, FakeBook, FakeFailure, type OpenCheckout } from './fake-book.js';

const ENDED_SHOWN_MS = 90 * 24 * 60 * 60_000;
const SIGNATURE = 'right';

type Read = 'account' | 'checkout' | 'subscriptionsOf' | 'liveSubscriptions' | 'payerOfDispute' | 'disputes';
type Name = keyof PaymentProvider['calls'] | Read;
/** `after-effect`: the provider acts, and the answer is lost. */
type Failing = 'refused' | 'not-executed' | 'unknown' | 'after-effect';

/** A request that waits for its release. */
export interface Held {
  /** Resolves when a request waits. */
  reached: Promise<void>;
  release(): void;
}

/** A payment provider in memory, with a state, events and the failures that a test asks for. */
export class FakeProvider extends FakeBook implements PaymentProvider {
  readonly apiVersion = 'fake-1';
  readonly isOn = true;
  isDirect = false;
  /** How often each request has come, failed ones included. */
  readonly asked = new Map<string, number>();
  private readonly left = new Set<string>();
  private readonly answered = new Map<string, { asked: string; outcome: unknown }>();
  private readonly failing = new Map<Name, Failing[]>();
  private readonly holding = new Map<Name, { arrived(): void; released: Promise<void> }[]>();

  /** The coach has parted from the platform, which may read nothing there any more. */
  leave(accountId: string): void {
    this.left.add(accountId);
  }

  private mayRead(accountId: string | null): void {
    if (accountId !== null && this.left.has(accountId)) throw new FakeFailure('refused', 'no such account');
  }

  /** The next `times` requests of this name fail so. */
  failNext(name: Name, failing: Failing, times = 1): void {
    this.failing.set(name, [...(this.failing.get(name) ?? []), ...Array<Failing>(times).fill(failing)]);
  }

  /** Forgets the failures that were asked for. */
  recover(): void {
    this.failing.clear();
  }

  /** The next request of this name waits: a call before it acts, a read after it has looked. */
  holdNext(name: Name): Held {
    let release!: () => void;
    let arrived!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const reached = new Promise<void>((resolve) => (arrived = resolve));
    this.holding.set(name, [...(this.holding.get(name) ?? []), { arrived, released }]);
    return { reached, release };
  }

  /** An event as it comes over HTTP. */
  signed(event: ProviderEvent): { body: Buffer; signature: string } {
    return { body: Buffer.from(JSON.stringify(event)), signature: SIGNATURE };
  }

  // The port.

  readonly calls: PaymentProvider['calls'] = {
    createCustomer: this.call('createCustomer', ({ userId, currency, accountId = null }) => {
      const known = [...this.customers].find(
        ([, customer]) =>
          customer.userId === userId && customer.currency === currency && customer.accountId === accountId,
      );
      return { customerId: known?.[0] ?? this.customer(userId, currency, accountId) };
    }),
    createPrice: this.call('createPrice', ({ coachId, amountMinor, currency, accountId }) => {
      const priceId = this.newId('price', accountId);
      this.prices.set(priceId, { coachId, amountMinor, currency });
      return { priceId };
    }),
    createAccount: this.call('createAccount', () => {
      const account = { id: this.newId('acct'), isReady: false };
      this.accounts.set(account.id, account);
      return account;
    }),
    createCheckout: this.call(
      'createCheckout',
      ({ customerId, priceId, accountId, userId, coachId, expiresAt }) => {
        if (!this.accounts.get(accountId)?.isReady)
          throw new FakeFailure('refused', 'the account is not ready');
        const price = this.prices.get(priceId);
        if (!price || !this.customers.has(customerId))
          throw new FakeFailure('refused', 'no such price or customer');
        const account = accountOf(customerId);
        if (account !== accountOf(priceId) || (account !== null && account !== accountId))
          throw new FakeFailure('refused', 'no such price on this account');
        const id = this.newId('cs', account);
        const checkout: OpenCheckout = {
          ...{
            id,
            url: `https://pay.example/${encodeURIComponent(id)}`,
            state: 'open',
            expiresAt,
            customerId,
            subscriptionId: null,
          },
          ...{ pair: { userId, coachId }, amountMinor: price.amountMinor, currency: price.currency },
        };
        this.putCheckout(checkout);
        return shown(checkout);
      },
    ),
    expireCheckout: this.call('expireCheckout', ({ checkoutId }) => {
      const checkout = this.checkouts.get(checkoutId);
      if (!checkout || checkout.state === 'complete') throw new FakeFailure('refused', 'it is not open');
      return shown(this.close(checkout));
    }),
    setCancelAtPeriodEnd: this.call('setCancelAtPeriodEnd', ({ subscriptionId, cancelAtPeriodEnd }) => {
      if (this.subscription(subscriptionId).endedAt !== null)
        throw new FakeFailure('refused', 'the subscription has ended');
      return this.change(subscriptionId, { cancelAtPeriodEnd });
    }),
    cancelNow: this.call('cancelNow', ({ subscriptionId }) => {
      this.end(subscriptionId);
      return this.subscription(subscriptionId);
    }),
    refund: this.call('refund', ({ paymentId, amountMinor, reason }) => {
      const paid = [...this.subscriptions.values()].find(
        ({ latestPayment }) => latestPayment?.paymentId === paymentId,
      );
      const { latestPayment } = paid ?? {};
      if (paid?.disputes.some((dispute) => dispute.paymentId === paymentId))
        throw new FakeFailure('refused', 'the payment is disputed');
      if (!latestPayment || amountMinor > latestPayment.paidMinor - latestPayment.refundedMinor)
        throw new FakeFailure('refused', 'more than was paid');
      const refundedMinor = latestPayment.refundedMinor + amountMinor;
      this.change(paid!.id, { latestPayment: { ...latestPayment, refundedMinor } });
      const refund = { refundId: this.newId('re'), amountMinor };
      this.refunds.push({ ...refund, paymentId, reason });
      return refund;
    }),
    takeShareBack: this.call('takeShareBack', ({ disputeId, amountMinor }) => {
      this.disputed(disputeId);
      // Of a direct charge nothing was handed on.
      if (accountOf(disputeId) !== null) return { amountMinor: 0 };
      this.sharesTaken.set(disputeId, (this.sharesTaken.get(disputeId) ?? 0) + amountMinor);
      return { amountMinor };
    }),
    giveShareBack: this.call('giveShareBack', ({ disputeId, amountMinor }) => {
      this.sharesTaken.set(disputeId, this.sharesTaken.get(disputeId)! - amountMinor);
      return { amountMinor };
    }),
  };

  async openOnboarding({ accountId }: { accountId: string }): Promise<string> {
    return `https://pay.example/onboarding/${accountId}`;
  }

  async openPortal({ customerId }: { customerId: string }): Promise<string> {
    return `https://pay.example/portal/${customerId}`;
  }

  async openPayoutDashboard(accountId: string): Promise<string> {
    return `https://pay.example/payouts/${accountId}`;
  }

  account(accountId: string, signal: AbortSignal): Promise<ProviderAccount> {
    return this.read('account', signal, () => {
      const account = this.accounts.get(accountId);
      if (!account) throw new FakeFailure('refused', 'no such account');
      return account;
    });
  }

  checkout(checkoutId: string, signal: AbortSignal): Promise<ProviderCheckout> {
    return this.read('checkout', signal, () => shown(this.checkouts.get(checkoutId)!));
  }

  async subscriptionsOf(customerId: string, signal: AbortSignal): Promise<ProviderSubscription[]> {
    const since = this.clock.now() - ENDED_SHOWN_MS;
    this.mayRead(accountOf(customerId));
    return this.read('subscriptionsOf', signal, () =>
      this.ofCustomer(customerId).filter(
        ({ endedAt, disputes }) => (endedAt ?? since) >= since || disputes.length > 0,
      ),
    );
  }

  /** All that a customer has ever had, the oldest first. */
  protected ofCustomer(customerId: string): ProviderSubscription[] {
    return [...this.subscriptions.values()].filter((each) => each.customerId === customerId);
  }

  async *liveSubscriptions(
    accountId: string | null,
    signal: AbortSignal,
  ): AsyncIterable<ProviderSubscription> {
    this.mayRead(accountId);
    yield* await this.read('liveSubscriptions', signal, () =>
      [...this.subscriptions.values()]
        .filter(
          ({ id, status }) => accountOf(id) === accountId && (status === 'active' || status === 'past_due'),
        )
        .map((each) => ({ ...each, disputes: [] })),
    );
  }

  payerOfDispute(disputeId: string, signal: AbortSignal): Promise<string | null> {
    return this.read('payerOfDispute', signal, () => this.disputed(disputeId).customerId);
  }

  async *disputes(accountId: string | null, signal: AbortSignal): AsyncIterable<PayersDispute> {
    yield* await this.read('disputes', signal, () =>
      [...this.subscriptions.values()].flatMap(({ customerId, disputes }) =>
        disputes
          .filter(({ id }) => accountOf(id) === accountId)
          .map(({ id, state }) => ({ id, state, customerId })),
      ),
    );
  }

  readEvent(body: Buffer, signature: string): ProviderEvent | undefined {
    return signature === SIGNATURE ? (JSON.parse(body.toString()) as ProviderEvent) : undefined;
  }

  failureOf(error: unknown): 'refused' | 'not-executed' | 'unknown' {
    return error instanceof FakeFailure ? error.is : 'unknown';
  }

  /** Acts once for a key, like a provider: the same key with other parameters is refused. */
  private call<Request, Outcome>(
    name: Name,
    act: (request: Request) => Outcome,
  ): ProviderCall<Request, Outcome> {
    return {
      render: (request) => ({ ...request }) as Rendered,
      make: async (rendered, { key, signal }: CallContext) => {
        const failing = await this.arrive(name, signal);
        const asked = JSON.stringify([name, rendered]);
        let known = this.answered.get(key);
        if (known && known.asked !== asked)
          throw new FakeFailure('refused', 'the key was used for other parameters');
        if (!known) {
          known = { asked, outcome: act(rendered as Request) };
          this.answered.set(key, known);
        }
        if (failing === 'after-effect') throw new FakeFailure('unknown', `${name}: the answer is lost`);
        return known.outcome as Outcome;
      },
      find: async (_rendered, { key }) => this.answered.get(key)?.outcome as Outcome | undefined,
    };
  }

  private async read<T>(name: Name, signal: AbortSignal, look: () => T): Promise<T> {
    const seen = look();
    await this.arrive(name, signal);
    return seen;
  }

  /** Counts the request, lets it wait, and throws where it is to fail before any effect. */
  private async arrive(name: Name, signal: AbortSignal): Promise<Failing | undefined> {
    this.asked.set(name, (this.asked.get(name) ?? 0) + 1);
    const failing = this.failing.get(name)?.shift();
    const held = this.holding.get(name)?.shift();
    held?.arrived();
    await held?.released;
    signal.throwIfAborted();
    if (failing && failing !== 'after-effect')
      throw new FakeFailure(failing, `${name} fails as the test asks`);
    return failing;
  }
}

function shown({ id, url, state, expiresAt, customerId, subscriptionId }: OpenCheckout): ProviderCheckout {
  return { id, url, state, expiresAt, customerId, subscriptionId };
}
