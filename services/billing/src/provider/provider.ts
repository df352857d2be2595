import type {
  PayersDispute,
  PaymentProvider,
  ProviderAccount,
  ProviderCheckout,
  ProviderEvent,
  ProviderFailure,
  ProviderSubscription,
} from './payment-provider.js';

/** The provider of this process, as Nest injects it. */
export abstract class Provider implements PaymentProvider {
  /** False where billing takes no payments (SUBS-3): then everything else throws `payments-not-configured`. */
  abstract readonly isOn: boolean;
  abstract readonly apiVersion: string;
  abstract readonly isDirect: boolean;
  abstract readonly calls: PaymentProvider['calls'];
  abstract openOnboarding(...asked: Parameters<PaymentProvider['openOnboarding']>): Promise<string>;
  abstract openPortal(...asked: Parameters<PaymentProvider['openPortal']>): Promise<string>;
  abstract openPayoutDashboard(accountId: string, signal: AbortSignal): Promise<string>;
  abstract account(accountId: string, signal: AbortSignal): Promise<ProviderAccount>;
  abstract checkout(checkoutId: string, signal: AbortSignal): Promise<ProviderCheckout>;
  abstract subscriptionsOf(customerId: string, signal: AbortSignal): Promise<ProviderSubscription[]>;
  abstract liveSubscriptions(
    accountId: string | null,
    signal: AbortSignal,
  ): AsyncIterable<ProviderSubscription>;
  abstract payerOfDispute(disputeId: string, signal: AbortSignal): Promise<string | null>;
  abstract disputes(accountId: string | null, signal: AbortSignal): AsyncIterable<PayersDispute>;
  abstract readEvent(body: Buffer, signature: string): ProviderEvent | undefined;
  abstract failureOf(error: unknown): ProviderFailure;
}
