import { Injectable } from '@nestjs/common';
import type {
  ForeignCall,
  ForeignCallId,
  ForeignCallKind,
  Settled,
} from '@pulso/platform/foreign-calls/foreign-call-kind';
import { ForeignCalls } from '@pulso/platform/foreign-calls/foreign-calls';
import { Logger } from '@pulso/platform/logging/logger';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { CheckoutRepository } from '../store/checkout.repository.js';
import { CustomerRepository } from '../store/customer.repository.js';
import { noticeOfRefund } from '../notices/notices-of.js';
import { PaymentNoticeRepository } from '../store/payment-notice.repository.js';
import { DisputeRepository } from '../store/dispute.repository.js';
import { PayoutAccountRepository } from '../store/payout-account.repository.js';
import { ProviderPriceRepository } from '../store/provider-price.repository.js';
import type { PaymentProvider, ProviderCall, Rendered } from '../provider/payment-provider.js';
import { RefundRepository } from '../store/refund.repository.js';
import { SyncRequests } from '../inbox/sync-requests.js';
import { refusedByProvider } from '../provider/provider-errors.js';
import { Provider } from '../provider/provider.js';

type Calls = PaymentProvider['calls'];
type Name = keyof Calls;
type RequestOf<N extends Name> = Calls[N] extends ProviderCall<infer Request, infer _> ? Request : never;
type OutcomeOf<N extends Name> = Calls[N] extends ProviderCall<infer _, infer Outcome> ? Outcome : never;
type CallOf<N extends Name> = ForeignCall<RequestOf<N>, OutcomeOf<N>>;
type Follow<N extends Name> = (
  transaction: Transaction,
  request: RequestOf<N>,
  end: Settled<OutcomeOf<N>>,
  id: ForeignCallId,
) => Promise<void>;

/** Somebody waits for these: one request to the provider, within the 5 s that callers have. */
const WAITED_FOR_MS = 4_500;
/** These are made in the background, and are several requests. */
const IN_BACKGROUND_MS = 12_000;
/** Calls that only set how a subscription or a checkout is. */
const SETS_STATE: ReadonlySet<Name> = new Set(['expireCheckout', 'setCancelAtPeriodEnd', 'cancelNow']);
/** Stripe remembers a key for at least 24 hours. */
const GIVE_UP_AFTER_MS = 23 * 60 * 60_000;

/**
 * The provider's calls as they are stored and repeated (SUBS-22), each with what follows from its end. Who makes one waits
 * (`run`), or orders it in a transaction of their own (`enqueue`).
 */
@Injectable()
export class ProviderCalls {
  readonly createCustomer: CallOf<'createCustomer'>;
  readonly createPrice: CallOf<'createPrice'>;
  readonly createAccount: CallOf<'createAccount'>;
  readonly createCheckout: CallOf<'createCheckout'>;
  readonly expireCheckout: CallOf<'expireCheckout'>;
  readonly setCancelAtPeriodEnd: CallOf<'setCancelAtPeriodEnd'>;
  readonly cancelNow: CallOf<'cancelNow'>;
  readonly refund: CallOf<'refund'>;
  readonly takeShareBack: CallOf<'takeShareBack'>;
  readonly giveShareBack: CallOf<'giveShareBack'>;

  constructor(
    private readonly foreign: ForeignCalls,
    private readonly provider: Provider,
    customers: CustomerRepository,
    prices: ProviderPriceRepository,
    accounts: PayoutAccountRepository,
    checkouts: CheckoutRepository,
    refunds: RefundRepository,
    notices: PaymentNoticeRepository,
    disputes: DisputeRepository,
    syncs: SyncRequests,
    private readonly logger: Logger,
  ) {
    this.createCustomer = this.register(
      'createCustomer',
      WAITED_FOR_MS,
      async (transaction, { accountId = null, ...request }, end) => {
        if ('outcome' in end) await customers.add({ ...request, ...end.outcome, accountId }, transaction);
      },
    );
    this.createPrice = this.register('createPrice', WAITED_FOR_MS, async (transaction, request, end) => {
      if ('outcome' in end) await prices.set(request, end.outcome.priceId, transaction);
    });
    this.createAccount = this.register('createAccount', WAITED_FOR_MS, async (transaction, request, end) => {
      if ('outcome' in end) await accounts.add(request.coachId, end.outcome, transaction);
    });
    this.createCheckout = this.register(
      'createCheckout',
      WAITED_FOR_MS,
      async (transaction, _, end, { key, caller }) => {
        if (!('outcome' in end)) return checkouts.close(key, 'failed', transaction);
        const { id: checkoutId, state } = end.outcome;
        const kept = await checkouts.made(key, end.outcome, transaction);
        // Billing has closed it while it was being made.
        if (state === 'open' && kept !== 'open')
          await this.expireCheckout.enqueue(transaction, { caller, key }, { checkoutId });
      },
    );
    this.expireCheckout = this.register(
      'expireCheckout',
      WAITED_FOR_MS,
      async (transaction, _, end, { key }) => {
        if ('outcome' in end && end.outcome.state !== 'open')
          await checkouts.close(key, end.outcome.state, transaction);
      },
    );
    const readAgain = (transaction: Transaction, { subscriptionId }: { subscriptionId: string }) =>
      syncs.orderFor(subscriptionId, 'pulso.call-settled', transaction);
    this.setCancelAtPeriodEnd = this.register('setCancelAtPeriodEnd', IN_BACKGROUND_MS, readAgain);
    this.cancelNow = this.register('cancelNow', IN_BACKGROUND_MS, readAgain);
    this.refund = this.register('refund', IN_BACKGROUND_MS, async (transaction, _, end, { key }) => {
      const refundId = 'outcome' in end ? end.outcome.refundId : undefined;
      const paid = await refunds.settle(key, refundId, transaction);
      if (paid) await notices.add([noticeOfRefund(paid)], transaction);
    });
    this.takeShareBack = this.register(
      'takeShareBack',
      IN_BACKGROUND_MS,
      async (transaction, { disputeId }, end) => {
        const takenMinor = 'outcome' in end ? end.outcome.amountMinor : undefined;
        const subscriptionId = await disputes.taken(disputeId, takenMinor, transaction);
        // It may have been won meanwhile.
        if ('outcome' in end && subscriptionId)
          await syncs.orderFor(subscriptionId, 'pulso.call-settled', transaction);
      },
    );
    this.giveShareBack = this.register('giveShareBack', IN_BACKGROUND_MS, (transaction, { disputeId }, end) =>
      disputes.given(disputeId, 'outcome' in end, transaction),
    );
  }

  private register<N extends Name>(name: N, limitMs: number, settled?: Follow<N>): CallOf<N> {
    const { provider } = this;
    const call = provider.calls[name] as unknown as ProviderCall<RequestOf<N>, OutcomeOf<N>>;
    const kind: ForeignCallKind<RequestOf<N>, Rendered, OutcomeOf<N>> = {
      name,
      apiVersion: provider.apiVersion,
      render: (request) => call.render(request),
      call: (rendered, context) => call.make(rendered, context),
      find: (rendered, context) => call.find(rendered, context),
      failure: (error) => {
        const is = provider.failureOf(error);
        if (is !== 'refused') return { is };
        this.logger.warn({ err: error, kind: name }, 'the payment provider refuses a call');
        return { is, error: refusedByProvider() };
      },
      ...(settled && { settled }),
      setsState: SETS_STATE.has(name),
      limitMs,
      giveUpAfterMs: GIVE_UP_AFTER_MS,
    };
    return this.foreign.kind(kind);
  }
}
