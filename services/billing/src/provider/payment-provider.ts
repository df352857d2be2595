import type { Currency } from '@pulso/contracts/payments';

export type { Currency };

/**
 * How an error is to be taken: refused for good; certainly not executed; failed at the provider, which does not say what came of
 * it; or unknown, as the request may still be under way.
 */
export type ProviderFailure = 'refused' | 'not-executed' | 'failed' | 'unknown';

/** Of a call that changes something. The provider acts once for a key. */
export interface CallContext {
  key: string;
  /** The provider's version for which the parameters were rendered. */
  apiVersion: string;
  /** Ends the call before its lease does. */
  signal: AbortSignal;
}

/** What a subscription, customer or checkout at the provider belongs to; whatever lacks it is not Pulso's and is left alone. */
export interface Pair {
  userId: string;
  coachId: string;
}

export type ProviderStatus = 'incomplete' | 'active' | 'past_due' | 'cancelled';

/** A payment of a subscription. Money is in minor units, times are milliseconds since the epoch. */
export interface ProviderPayment {
  /** Of the invoice. */
  id: string;
  /** What refunds go to; null where nothing was paid. */
  paymentId: string | null;
  paidMinor: number;
  refundedMinor: number;
  periodStart: number;
  periodEnd: number;
}

/**
 * A payment of a subscription that its payer has disputed at the bank, which takes the money at once; not an inquiry, which
 * takes none. Won: the bank has given it back.
 */
export interface ProviderDispute {
  id: string;
  paymentId: string;
  amountMinor: number;
  state: 'open' | 'lost' | 'won';
}

/** A subscription as the provider has it now. */
export interface ProviderSubscription {
  id: string;
  customerId: string;
  pair: Pair;
  /** Whose price is paid, which may be another coach's; null where the provider's marks name nobody. */
  priceCoachId: string | null;
  status: ProviderStatus;
  amountMinor: number;
  currency: Currency;
  createdAt: number;
  currentPeriodStart: number;
  currentPeriodEnd: number;
  cancelAtPeriodEnd: boolean;
  /** When it ended at the provider; null while it lives. */
  endedAt: number | null;
  /** When the oldest payment that is missing was due; null where none is. */
  unpaidSince: number | null;
  latestPayment: ProviderPayment | null;
  /** Those of any of its payments; read by `subscriptionsOf` alone, else empty. */
  disputes: readonly ProviderDispute[];
}

export type PayersDispute = Pick<ProviderDispute, 'id' | 'state'> & { customerId: string };

export interface ProviderAccount {
  id: string;
  /** Whether payments can be made out to it. */
  isReady: boolean;
}

export interface ProviderCheckout {
  id: string;
  /** Where it is paid; null once it is closed. */
  url: string | null;
  state: 'open' | 'complete' | 'expired';
  expiresAt: number;
  customerId: string;
  /** Null until it is complete. */
  subscriptionId: string | null;
}

/** An event whose signature, age and mode are right. */
export interface ProviderEvent {
  id: string;
  type: string;
  /** The connected account that it is of; null for the platform's own. */
  account: string | null;
  createdAt: number;
  /** Whom `syncCustomer` has to read again; null for events without a customer. */
  customerId: string | null;
  /** The account whose state has changed; null for other events. */
  accountId: string | null;
  /** The dispute whose payer has to be read again; null for other events. */
  disputeId: string | null;
}

/** Rendered parameters of one call, as they are stored and repeated: JSON. */
export type Rendered = Readonly<Record<string, unknown>>;

/**
 * A call in two halves: `render` makes its parameters once, from what billing decides, and `make` sends exactly these, now and
 * when it is repeated after a crash or by a later version.
 */
export interface ProviderCall<Request, Outcome> {
  render(request: Request): Rendered;
  make(rendered: Rendered, context: CallContext): Promise<Outcome>;
  /** What the call has made, if it has; asked before giving up. Undefined: certainly nothing. Throws where it cannot tell. */
  find(rendered: Rendered, context: CallContext): Promise<Outcome | undefined>;
}

/**
 * Who takes the money: Stripe, its simulator, or another one day. It knows nothing of Pulso's rules. Whatever it throws is
 * sorted by `failureOf`.
 */
export interface PaymentProvider {
  /** The version of the provider's interface that calls are rendered for. */
  readonly apiVersion: string;
  /**
   * Whether what is sold from now on is on the account of the coach, who then takes the payments, and not on the platform's. What
   * was sold before stays where it is: ids at the provider say where that is, and mean nothing else to billing.
   */
  readonly isDirect: boolean;

  readonly calls: {
    /** On the platform's own account, unless one is given. */
    createCustomer: ProviderCall<
      { userId: string; currency: Currency; accountId?: string },
      { customerId: string }
    >;
    createPrice: ProviderCall<
      {
        coachId: string;
        coachName: string;
        amountMinor: number;
        currency: Currency;
        accountId?: string;
      },
      { priceId: string }
    >;
    createAccount: ProviderCall<{ coachId: string }, ProviderAccount>;
    createCheckout: ProviderCall<
      Pair & {
        /** On the same account as the price. */
        customerId: string;
        priceId: string;
        /** Who is paid. */
        accountId: string;
        successUrl: string;
        cancelUrl: string;
        /** When the page closes, in milliseconds since the epoch. */
        expiresAt: number;
      },
      ProviderCheckout
    >;
    expireCheckout: ProviderCall<{ checkoutId: string }, ProviderCheckout>;
    /** Lets a subscription end with its period, or go on again. */
    setCancelAtPeriodEnd: ProviderCall<
      { subscriptionId: string; cancelAtPeriodEnd: boolean },
      ProviderSubscription
    >;
    /**
     * Ends a subscription now; bills nothing more, and nobody can pay any more what it lacks. One that has ended already is its
     * outcome, too.
     */
    cancelNow: ProviderCall<{ subscriptionId: string }, ProviderSubscription>;
    /** Pays back a part of a payment, out of the coach's share as well. */
    refund: ProviderCall<
      { paymentId: string; amountMinor: number; reason: string },
      { refundId: string; amountMinor: number }
    >;
    /** Takes back what the coach has got of a disputed amount; the outcome is what was taken, 0 where nothing is left of it. */
    takeShareBack: ProviderCall<
      { disputeId: string; paymentId: string; amountMinor: number },
      { amountMinor: number }
    >;
    /** Gives the coach again what was taken back, once the dispute is won. */
    giveShareBack: ProviderCall<
      { disputeId: string; paymentId: string; amountMinor: number },
      { amountMinor: number }
    >;
  };

  // Pages and reads: they change nothing that has to be remembered.
  openOnboarding(
    to: { accountId: string; refreshUrl: string; returnUrl: string },
    signal: AbortSignal,
  ): Promise<string>;
  openPortal(to: { customerId: string; returnUrl: string }, signal: AbortSignal): Promise<string>;
  openPayoutDashboard(accountId: string, signal: AbortSignal): Promise<string>;
  account(accountId: string, signal: AbortSignal): Promise<ProviderAccount>;
  checkout(checkoutId: string, signal: AbortSignal): Promise<ProviderCheckout>;
  /** All of a customer's that are Pulso's, ended ones of the last 90 days and disputed ones, too; the oldest first. */
  subscriptionsOf(customerId: string, signal: AbortSignal): Promise<ProviderSubscription[]>;
  /** All live ones on an account (null: the platform's), a page after the other, for the comparison at night. */
  liveSubscriptions(accountId: string | null, signal: AbortSignal): AsyncIterable<ProviderSubscription>;
  /** The customer whose payment is disputed; null where the payment has none. */
  payerOfDispute(disputeId: string, signal: AbortSignal): Promise<string | null>;
  /** All disputes on an account that can still change, with the customers who have paid, for the comparison at night. */
  disputes(accountId: string | null, signal: AbortSignal): AsyncIterable<PayersDispute>;

  /** Checks signature, age and mode of an event. @returns undefined where one is not right */
  readEvent(body: Buffer, signature: string): ProviderEvent | undefined;

  /** How a thrown error is to be taken; see `ProviderFailure`. */
  failureOf(error: unknown): ProviderFailure;
}
