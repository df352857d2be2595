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

  /** An event, or the thin one of an account by v2: Stripe's package takes each by a method of its own. */
  private signedWith(secret: string, body: Buffer, signature: string): Stripe.Event | ThinEvent | undefined {
    const given = [body, signature, secret, TOLERANCE_SECONDS] as const;
    return (
      orNone(() => this.stripe.webhooks.constructEvent(...given)) ??
      orNone(() => this.stripe.parseEventNotification(...given) as ThinEvent)
    );
  }
}

/** Undefined for what is signed with another secret, or by nobody, or is too old; whoever sent it learns no more than that. */
function orNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** It says what has changed, and not how it is now. */
type ThinEvent = Stripe.V2.Core.Events.UnknownEventNotification;

interface EventObject {
  id?: string;
  object?: string;
  customer?: string | { id: string } | null;
}

function toEvent(event: Stripe.Event | ThinEvent): ProviderEvent {
  return event.object === 'v2.core.event' ? ofAccountV2(event) : ofObject(event);
}

/** Whatever it says of an account, the account is read again. */
function ofAccountV2({ id, type, created, related_object: about }: ThinEvent): ProviderEvent {
  const accountId = about?.type === 'v2.core.account' ? about.id : null;
  const createdAt = Date.parse(created);
  return { id, type, account: accountId, createdAt, customerId: null, accountId, disputeId: null };
}

function ofObject({ id, type, created, data, ...event }: Stripe.Event): ProviderEvent {
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
