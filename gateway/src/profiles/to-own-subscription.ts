import {
  type Money,
  type OwnSubscription as OwnSubscriptionMessage,
  SubscriptionStatus,
} from '@pulso/contracts/billing/v1/billing';
import { apiTimeOrNull } from '../http/bodies/api-time.js';
import { required, toCurrency } from '../user-ref/to-user-ref.js';
import type { ApiSubscriptionStatus, OwnSubscription } from './profile.dto.js';

/** The viewer's subscription, as a profile shows it. */
export const toOwnSubscription = (own: OwnSubscriptionMessage): OwnSubscription => ({
  status: toStatus(own.status),
  accessUntil: apiTimeOrNull(own.accessUntil),
  cancelAtPeriodEnd: own.cancelAtPeriodEnd,
  paid: own.paid ? toMonthlyAmount(own.paid) : null,
});

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
