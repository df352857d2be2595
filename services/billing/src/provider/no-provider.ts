import { notConfigured } from './provider-errors.js';
import type { PaymentProvider, ProviderCall } from './payment-provider.js';
import { Provider } from './provider.js';

const off = (): never => {
  throw notConfigured();
};
const offLater = async (): Promise<never> => off();
const call: ProviderCall<unknown, never> = { render: off, make: offLater, find: offLater };

/** In place of a provider where billing takes no payments (SUBS-3). */
export class NoProvider extends Provider {
  readonly isOn = false;
  readonly apiVersion = 'none';
  readonly isDirect = false;
  readonly calls: PaymentProvider['calls'] = {
    createCustomer: call,
    createPrice: call,
    createAccount: call,
    createCheckout: call,
    expireCheckout: call,
    setCancelAtPeriodEnd: call,
    cancelNow: call,
    refund: call,
    takeShareBack: call,
    giveShareBack: call,
  };

  openOnboarding = offLater;
  openPortal = offLater;
  openPayoutDashboard = offLater;
  account = offLater;
  checkout = offLater;
  subscriptionsOf = offLater;
  liveSubscriptions = off;
  payerOfDispute = offLater;
  disputes = off;
  readEvent = off;
  /** Calls that an earlier setting has left wait until there is a provider again. */
  failureOf = () => 'unknown' as const;
}
