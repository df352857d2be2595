import type Stripe from 'stripe';
import { isLiveKey, type StripeSettings } from '../settings.js';
import type { ProviderEvent } from '../provider/payment-provider.js';
import { idOf } from './stripe-client.js';
import { idAt } from './stripe-place.js';

const TOLERANCE_SECONDS = 300;

type Secrets = Pick<StripeSettings, 'secretKey' | 'webhookSecrets' | 'connectWebhookSecrets'>;

/** Reads what Stripe sends to the webhook, of the platform and of connected accounts (SUBS-17). */
export class StripeEvents {
  private readonly secrets: readonly string[];
  private readonly isLive: boolean;

  constructor(
    private readonly stripe: Stripe,
    { secretKey, webhookSecrets, connectWebhookSecrets }: Secrets,
  ) {
    this.secrets = [...webhookSecrets, ...connectWebhookSecrets];
    this.isLive = isLiveKey(secretKey);
  }

  /** @returns undefined where signature, age, mode or form is not right */
  read(body: Buffer, signature: string): ProviderEvent | undefined {
    for (const secret of this.secrets) {
      const event = this.signedWith(secret, body, signature);
      if (event) return event.livemode === this.isLive ? toEvent(event) : undefined;
    }
    return undefined;
  }

  private signedWith(secret: string, body: Buffer, signature: string): Stripe.Event | undefined {
    try {
      return this.stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
    } catch {
      // Signed with another secret, or by nobody, or too old; whoever sent it learns no more than that.
      return undefined;
    }
  }
}

interface EventObject {
  id?: string;
  object?: string;
  customer?: string | { id: string } | null;
}

function toEvent({ id, type, created, data, ...event }: Stripe.Event): ProviderEvent {
  const account = event.account ?? null;
  const about = data.object as unknown as EventObject;
  const isOfAccount = type.startsWith('account.');
  return {
    id,
    type,
    account,
    createdAt: created * 1000,
    customerId: isOfAccount ? null : idAt(account, customerOf(about)),
    accountId: isOfAccount ? (account ?? accountOf(about)) : null,
    disputeId: about.object === 'dispute' ? idAt(account, about.id ?? null) : null,
  };
}

const customerOf = ({ id, object, customer }: EventObject): string | null =>
  object === 'customer' ? (id ?? null) : idOf(customer);

const accountOf = ({ id, object }: EventObject): string | null =>
  object === 'account' ? (id ?? null) : null;
