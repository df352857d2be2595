import type { Subscription as SubscriptionMessage } from '@pulso/contracts/billing/v1/billing';
import { apiTime, apiTimeOrNull } from '../http/bodies/api-time.js';
import type { Profile } from '../profiles/profile.dto.js';
import { toMonthlyAmount, toOwnSubscription } from '../profiles/to-own-subscription.js';
import { required, toPrice } from '../user-ref/to-user-ref.js';
import type { Subscription } from './subscription.dto.js';

export function toSubscription(subscription: SubscriptionMessage, coach: Profile): Subscription {
  const { id, planType, createdAt, priceMinor, refunded, refundedAt, disputed } = subscription;
  const { subscriptionPrice: price, subscriptionCurrency: currency } = toPrice({
    subscriptionPriceMinor: priceMinor,
    subscriptionCurrency: subscription.currency,
  });
  return {
    id,
    coach,
    planType,
    ...toOwnSubscription(subscription),
    startDate: apiTimeOrNull(subscription.startDate),
    createdAt: apiTime(createdAt),
    cancelledAt: apiTimeOrNull(subscription.cancelledAt),
    currentPeriodEnd: apiTimeOrNull(subscription.currentPeriodEnd),
    price,
    currency,
    ...(refunded && {
      refunded: { ...toMonthlyAmount(refunded), at: apiTime(required(refundedAt, 'refundedAt')) },
    }),
    ...(disputed && { disputed }),
  };
}
