import type {
  CallContext,
  PayersDispute,
  PaymentProvider,
  ProviderCall,
  ProviderFailure,
  ProviderSubscription,
  Rendered,
} from '../../src/provider/payment-provider.js';
import { Provider } from '../../src/provider/provider.js';
import { Dice } from '../start.js';
import type { YearBook } from './year-book.js';

/** How a request ends that does not simply succeed. */
const MOODS = [
  // The connection was never made.
  'never-sent',
  // No answer came, and nothing was done.
  'time-out',
  // It was done, and the answer was lost.
  'after-effect',
  // Answers of 500, which the provider repeats under the key for ever: before or after the effect.
  'saved-500',
  'saved-500-done',
  // 409 and `idempotency_error` tell nothing of what another request with the key has done.
  'in-use',
  'idempotency-error',
] as const;
type Mood = (typeof MOODS)[number];

const FAILURE_OF: Readonly<Record<Mood, ProviderFailure>> = {
  'never-sent': 'not-executed',
  'time-out': 'unknown',
  'after-effect': 'unknown',
  'saved-500': 'failed',
  'saved-500-done': 'failed',
  'in-use': 'unknown',
  'idempotency-error': 'unknown',
};

class MoodyFailure extends Error {
  constructor(readonly mood: Mood) {
    super(`the provider: ${mood}`);
  }
}

/**
 * The provider in memory, as a network and its bad days show it. Whether a request fails depends on the seed, on what it is about
 * and on how often that was asked, not on the order of requests: those that are made at the same time fail alike in each run.
 */
export class MoodyProvider extends Provider {
  readonly isOn = true;
  readonly apiVersion = 'year-1';
  readonly isDirect = false;
  readonly calls: PaymentProvider['calls'];
  /** The share of requests that fail. */
  trouble = 0;
  isAway = false;
  /** How many requests have failed. */
  failures = 0;
  /** What happens while the next read of a customer is on its way back. */
  meanwhile: (() => Promise<void>) | undefined;
  /** Told of each moment before and after a request; it may throw in a killed process's place. */
  atMoment: (moment: string) => void = () => undefined;
  private readonly savedFailures = new Set<string>();
  private readonly asked = new Map<string, number>();

  constructor(
    readonly book: YearBook,
    private readonly seed: number,
  ) {
    super();
    const { calls } = book;
    this.calls = {
      createCustomer: this.call('createCustomer', calls.createCustomer),
      createPrice: this.call('createPrice', calls.createPrice),
      createAccount: this.call('createAccount', calls.createAccount),
      createCheckout: this.call('createCheckout', calls.createCheckout),
      expireCheckout: this.call('expireCheckout', calls.expireCheckout),
      setCancelAtPeriodEnd: this.call('setCancelAtPeriodEnd', calls.setCancelAtPeriodEnd),
      cancelNow: this.call('cancelNow', calls.cancelNow),
      refund: this.call('refund', this.refund(calls.refund)),
      takeShareBack: this.call('takeShareBack', calls.takeShareBack),
      giveShareBack: this.call('giveShareBack', calls.giveShareBack),
    };
  }

  /** Answers again, and fails no more; what it has saved under a key stays saved. */
  calm(): void {
    this.trouble = 0;
    this.isAway = false;
  }

  openOnboarding(to: { accountId: string }) {
    return this.book.openOnboarding(to);
  }

  openPortal(to: { customerId: string }) {
    return this.book.openPortal(to);
  }

  openPayoutDashboard(accountId: string) {
    return this.book.openPayoutDashboard(accountId);
  }

  account(id: string, signal: AbortSignal) {
    return this.read(`account ${id}`, () => this.book.account(id, signal));
  }

  checkout(id: string, signal: AbortSignal) {
    return this.read(`checkout ${id}`, () => this.book.checkout(id, signal));
  }

  subscriptionsOf(id: string, signal: AbortSignal) {
    return this.read(`subscriptionsOf ${id}`, async () => {
      const seen = await this.book.subscriptionsOf(id, signal);
      const { meanwhile } = this;
      this.meanwhile = undefined;
      await meanwhile?.();
      return seen;
    });
  }

  async *liveSubscriptions(
    accountId: string | null,
    signal: AbortSignal,
  ): AsyncIterable<ProviderSubscription> {
    await this.read('liveSubscriptions', async () => undefined);
    yield* this.book.liveSubscriptions(accountId, signal);
  }

  payerOfDispute(id: string, signal: AbortSignal) {
    return this.read(`payerOfDispute ${id}`, () => this.book.payerOfDispute(id, signal));
  }

  async *disputes(accountId: string | null, signal: AbortSignal): AsyncIterable<PayersDispute> {
    await this.read('disputes', async () => undefined);
    yield* this.book.disputes(accountId, signal);
  }

  readEvent(...asked: Parameters<PaymentProvider['readEvent']>) {
    return this.book.readEvent(...asked);
  }

  failureOf(error: unknown): ProviderFailure {
    return error instanceof MoodyFailure ? FAILURE_OF[error.mood] : this.book.failureOf(error);
  }

  /** The provider in memory pays back of the last payment alone; a real one of any. */
  private refund(latest: PaymentProvider['calls']['refund']): PaymentProvider['calls']['refund'] {
    const { book } = this;
    return {
      render: (request) => latest.render(request),
      make: async (rendered, context) => {
        const { paymentId, amountMinor } = rendered as { paymentId: string; amountMinor: number };
        const known = await latest.find(rendered, context);
        return (
          known ?? book.refundOlder(paymentId, amountMinor, context.key) ?? latest.make(rendered, context)
        );
      },
      find: async (rendered, context) =>
        (await latest.find(rendered, context)) ?? book.olderRefund(context.key),
    };
  }

  private call<Request, Outcome>(
    name: string,
    call: ProviderCall<Request, Outcome>,
  ): ProviderCall<Request, Outcome> {
    return {
      render: (request) => call.render(request),
      make: async (rendered, context) => {
        this.atMoment(`before ${name}`);
        const outcome = await this.make(name, call, rendered, context);
        this.atMoment(`after ${name}`);
        return outcome;
      },
      find: (rendered, context) => this.read(`find ${name}`, () => call.find(rendered, context)),
    };
  }

  private async make<Outcome>(
    name: string,
    call: ProviderCall<never, Outcome>,
    rendered: Rendered,
    context: CallContext,
  ): Promise<Outcome> {
    if (this.savedFailures.has(context.key)) throw this.failure('saved-500');
    const mood = this.moodOf(`${name} ${subjectOf(rendered)}`);
    if (mood === 'after-effect' || mood === 'saved-500-done') await call.make(rendered, context);
    if (mood === 'saved-500' || mood === 'saved-500-done') this.savedFailures.add(context.key);
    if (mood) throw this.failure(mood);
    return call.make(rendered, context);
  }

  private async read<T>(what: string, look: () => Promise<T>): Promise<T> {
    this.atMoment(`before ${what}`);
    const mood = this.moodOf(what);
    if (mood) throw this.failure(mood === 'never-sent' ? mood : 'time-out');
    const seen = await look();
    this.atMoment(`after ${what}`);
    return seen;
  }

  private failure(mood: Mood): MoodyFailure {
    this.failures += 1;
    return new MoodyFailure(mood);
  }

  private moodOf(what: string): Mood | undefined {
    if (this.isAway) return 'never-sent';
    if (this.trouble === 0) return undefined;
    const times = (this.asked.get(what) ?? 0) + 1;
    this.asked.set(what, times);
    const dice = new Dice(hashOf(`${this.seed} ${what} ${times}`));
    return dice.chance(this.trouble) ? dice.pick(MOODS) : undefined;
  }
}

/** What a call is about, by the ids that are the same in each run. */
function subjectOf(rendered: Rendered): string {
  const { subscriptionId, paymentId, checkoutId, customerId } = rendered;
  return String(subscriptionId ?? paymentId ?? checkoutId ?? customerId ?? '');
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}
