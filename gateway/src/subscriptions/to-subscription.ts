import {
  type Money,
  type Subscription as SubscriptionMessage,
  SubscriptionStatus,
} from '@pulso/contracts/billing/v1/billing';
import { apiTime } from '../http/bodies/api-time.js';
import type { Profile } from '../profiles/profile.dto.js';
import { required, toCurrency, toPrice } from '../user-ref/to-user-ref.js';
import type { ApiSubscriptionStatus, Subscription } from './subscription.dto.js';

const orNull = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : apiTime(milliseconds);

export function toSubscription(subscription: SubscriptionMessage, coach: Profile): Subscription {
  const { id, planType, status, createdAt, cancelAtPeriodEnd, priceMinor, paid } = subscription;
  const { subscriptionPrice: price, subscriptionCurrency: currency } = toPrice({
    subscriptionPriceMinor: priceMinor,
    subscriptionCurrency: subscription.currency,
  });
  return {
    id,
    coach,
    planType,
    status: toStatus(status),
    startDate: orNull(subscription.startDate),
    createdAt: apiTime(createdAt),
    cancelledAt: orNull(subscription.cancelledAt),
    currentPeriodEnd: orNull(subscription.currentPeriodEnd),
    cancelAtPeriodEnd,
    accessUntil: orNull(subscription.accessUntil),
    price,
    currency,
    paid: paid ? toMonthlyAmount(paid) : null,
  };
}

/** In major units. */
export const toMonthlyAmount = ({ currency, amountMinor }: Money) => ({
  currency: required(toCurrency(currency) ?? undefined, 'currency'),
  amount: amountMinor / 100,
});

export function toStatus(status: SubscriptionStatus): ApiSubscriptionStatus {
  switch (status) {
    case SubscriptionStatus.SUBSCRIPTION_STATUS_INCOMPLETE:
      return 'incomplete';
    case SubscriptionStatus.SUBSCRIPTION_STATUS_ACTIVE:
      return 'active';
    case SubscriptionStatus.SUBSCRIPTION_STATUS_PAST_DUE:
      return 'past_due';
    case SubscriptionStatus.SUBSCRIPTION_STATUS_CANCELLED:
      return 'cancelled';
    case SubscriptionStatus.SUBSCRIPTION_STATUS_UNSPECIFIED:
    case SubscriptionStatus.UNRECOGNIZED:
      throw new Error(`Unknown status ${status} of a subscription`);
  }
}
