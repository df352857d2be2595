import type { Subscription as SubscriptionMessage } from '@pulso/contracts/billing/v1/billing';
import { apiTime } from '../http/bodies/api-time.js';
import type { Profile } from '../profiles/profile.dto.js';
import { toMonthlyAmount, toStatus } from '../profiles/to-own-subscription.js';
import { toPrice } from '../user-ref/to-user-ref.js';
import type { Subscription } from './subscription.dto.js';

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
