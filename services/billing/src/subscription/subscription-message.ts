import {
  type Money,
  type OwnSubscription as OwnSubscriptionMessage,
  type Subscription as SubscriptionMessage,
  SubscriptionStatus,
} from '@pulso/contracts/billing/v1/billing';
import type { OwnSubscription } from '../store/coach-figures.repository.js';
import type { Price } from '../store/coach-price.entity.js';
import type { Told } from '../store/subscription-list.repository.js';
import type { Subscription } from '../store/subscription.entity.js';
import { givesAccess, type SubscriptionStatus as Status } from '../store/subscription.js';

const STATUS: Readonly<Record<Status, SubscriptionStatus>> = {
  incomplete: SubscriptionStatus.SUBSCRIPTION_STATUS_INCOMPLETE,
  active: SubscriptionStatus.SUBSCRIPTION_STATUS_ACTIVE,
  past_due: SubscriptionStatus.SUBSCRIPTION_STATUS_PAST_DUE,
  cancelled: SubscriptionStatus.SUBSCRIPTION_STATUS_CANCELLED,
};

export const statusMessage = (status: Status): SubscriptionStatus => STATUS[status];

/** With the coach's price at this moment, what the subscriber pays, and what is told of it. */
export function toSubscriptionMessage(
  subscription: Subscription,
  price: Price,
  now: number,
  told?: Told,
): SubscriptionMessage {
  return {
    id: subscription.id,
    userId: subscription.userId,
    coachId: subscription.coachId,
    planType: subscription.planType,
    status: statusMessage(subscription.status),
    startDate: subscription.startDate ?? undefined,
    createdAt: subscription.createdAt,
    cancelledAt: subscription.cancelledAt ?? undefined,
    currentPeriodEnd: subscription.currentPeriodEnd ?? undefined,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    accessUntil: subscription.accessUntil ?? undefined,
    priceMinor: price.priceMinor ?? undefined,
    currency: price.priceMinor === null ? '' : price.currency,
    givesAccess: givesAccess(subscription, now),
    paid: paidMessage(subscription),
    refunded: told?.refunded ?? undefined,
    refundedAt: told?.refunded?.at,
    disputed: told?.isDisputed ?? false,
  };
}

/** The viewer's, for a profile. */
export const toOwnMessage = (own: OwnSubscription): OwnSubscriptionMessage => ({
  status: statusMessage(own.status),
  accessUntil: own.accessUntil ?? undefined,
  cancelAtPeriodEnd: own.cancelAtPeriodEnd,
  paid: paidMessage(own),
});

function paidMessage({
  priceMinor: amountMinor,
  priceCurrency: currency,
}: Pick<OwnSubscription, 'priceMinor' | 'priceCurrency'>): Money | undefined {
  return amountMinor === null || currency === null ? undefined : { amountMinor, currency };
}
