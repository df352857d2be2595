import type Stripe from 'stripe';
import { within } from './stripe-client.js';
import { hasMetadata, type StripeMetadata } from './stripe-metadata.js';
import { optionsOf, placeOf } from './stripe-place.js';

const PAGE = 100;

/** Stripe's page for payers. */
export class StripePortal {
  constructor(
    private readonly stripe: Stripe,
    private readonly metadata: StripeMetadata,
  ) {}

  /** Returns its address. */
  async open(
    { customerId, returnUrl }: { customerId: string; returnUrl: string },
    signal: AbortSignal,
  ): Promise<string> {
    const { account, id: customer } = placeOf(customerId);
    const params = {
      customer,
      return_url: returnUrl,
      ...(account !== null && { configuration: await this.configurationOn(account, signal) }),
    };
    const { url } = await within(signal, () =>
      this.stripe.billingPortal.sessions.create(params, optionsOf(account)),
    );
    return url;
  }

  /** The platform's own is set in its dashboard. A coach's account has none until the platform makes one. */
  private async configurationOn(account: string, signal: AbortSignal): Promise<string> {
    const metadata = this.metadata.ofInstallation();
    const { data } = await within(signal, () =>
      this.stripe.billingPortal.configurations.list({ active: true, limit: PAGE }, optionsOf(account)),
    );
    const found = data.find((one) => hasMetadata(one.metadata, metadata));
    if (found) return found.id;
    const params: Stripe.BillingPortal.ConfigurationCreateParams = {
      metadata,
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
      },
    };
    // Two presses at once make one.
    const idempotencyKey = `portal-configuration:${account}:${Object.values(metadata).join()}`;
    const made = await within(signal, () =>
      this.stripe.billingPortal.configurations.create(params, { idempotencyKey, ...optionsOf(account) }),
    );
    return made.id;
  }
}
