import type { Clock } from '@pulso/platform/time/clock';
import { type BillingSettings, stripeSettingsOf } from '../settings.js';
import { NoProvider } from '../provider/no-provider.js';
import type { Provider } from '../provider/provider.js';
import { StripeProvider } from './stripe-provider.js';

/** The provider that the settings name. */
export function providerOf(settings: BillingSettings, clock: Clock): Provider {
  const stripe = stripeSettingsOf(settings);
  return stripe ? new StripeProvider(stripe, () => clock.now()) : new NoProvider();
}
