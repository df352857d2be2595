import type Stripe from 'stripe';
import type { StripeSettings } from '../settings.js';
import type {
  PayersDispute,
  PaymentProvider,
  ProviderAccount,
  ProviderCheckout,
  ProviderEvent,
  ProviderFailure,
  ProviderSubscription,
} from '../provider/payment-provider.js';
import { Provider } from '../provider/provider.js';
import { type StripeAccounts, stripeAccounts } from './stripe-accounts.js';
import { stripeCalls, toCheckout } from './stripe-calls.js';
import { openStripe, STRIPE_API_VERSION, within } from './stripe-client.js';
import { StripeDisputes } from './stripe-disputes.js';
import { StripeEvents } from './stripe-events.js';
import { stripeFailureOf } from './stripe-failure.js';
import { StripeMetadata } from './stripe-metadata.js';
import { optionsOf, placeOf } from './stripe-place.js';
import { StripePortal } from './stripe-portal.js';
import { StripeReads } from './stripe-reads.js';

/**
 * Stripe, or its simulator (SUBS-16). By destination charges customers and subscriptions are the platform's, and Stripe hands each
 * payment on to the coach's account; by direct charges all of it is on the coach's account.
 */
export class StripeProvider extends Provider {
  readonly isOn = true;
  readonly apiVersion = STRIPE_API_VERSION;
  readonly isDirect: boolean;
  readonly calls: PaymentProvider['calls'];
  private readonly stripe: Stripe;
  private readonly accounts: StripeAccounts;
  private readonly reads: StripeReads;
  private readonly disputed: StripeDisputes;
  private readonly events: StripeEvents;
  private readonly portal: StripePortal;

  /** `now`: the time in milliseconds since the epoch. */
  constructor(settings: StripeSettings, now: () => number) {
    super();
    const metadata = new StripeMetadata(settings.installation);
    this.stripe = openStripe(settings);
    this.disputed = new StripeDisputes(this.stripe, now);
    this.reads = new StripeReads(this.stripe, metadata, this.disputed, now);
    this.events = new StripeEvents(this.stripe, settings);
    this.portal = new StripePortal(this.stripe, metadata);
    this.isDirect = settings.charges === 'direct';
    const { stripe, reads, isDirect } = this;
    this.accounts = stripeAccounts(settings, { stripe, metadata, isDirect, now });
    this.calls = {
      ...stripeCalls({ stripe, metadata, reads, feePercent: settings.feePercent, now }),
      createAccount: this.accounts.create,
    };
  }

  openOnboarding(
    to: { accountId: string; refreshUrl: string; returnUrl: string },
    signal: AbortSignal,
  ): Promise<string> {
    return this.accounts.openOnboarding(to, signal);
  }

  openPortal(to: { customerId: string; returnUrl: string }, signal: AbortSignal): Promise<string> {
    return this.portal.open(to, signal);
  }

  /** v2 has no such page of its own: v1's is that of its accounts, too. */
  async openPayoutDashboard(accountId: string, signal: AbortSignal): Promise<string> {
    const { url } = await within(signal, () => this.stripe.accounts.createLoginLink(accountId));
    return url;
  }

  account(accountId: string, signal: AbortSignal): Promise<ProviderAccount> {
    return this.accounts.read(accountId, signal);
  }

  async checkout(checkoutId: string, signal: AbortSignal): Promise<ProviderCheckout> {
    const { account, id } = placeOf(checkoutId);
    const read = await within(signal, () =>
      this.stripe.checkout.sessions.retrieve(id, undefined, optionsOf(account)),
    );
    return toCheckout(read, account);
  }

  subscriptionsOf(customerId: string, signal: AbortSignal): Promise<ProviderSubscription[]> {
    return this.reads.ofCustomer(customerId, signal);
  }

  liveSubscriptions(accountId: string | null, signal: AbortSignal): AsyncIterable<ProviderSubscription> {
    return this.reads.live(accountId, signal);
  }

  payerOfDispute(disputeId: string, signal: AbortSignal): Promise<string | null> {
    return this.disputed.payerOf(disputeId, signal);
  }

  disputes(accountId: string | null, signal: AbortSignal): AsyncIterable<PayersDispute> {
    return this.disputed.all(accountId, signal);
  }

  readEvent(body: Buffer, signature: string): ProviderEvent | undefined {
    return this.events.read(body, signature);
  }

  failureOf(error: unknown): ProviderFailure {
    return stripeFailureOf(error);
  }
}
