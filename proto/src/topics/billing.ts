import { PaymentNoticeState, PriceState, SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { ABOUT_NOBODY, stateTopic } from './topic.js';

export const subscriptionTopic = stateTopic(
  'pulso.billing.subscription.v1',
  SubscriptionState,
  ({ userId, coachId }) => [userId, coachId],
  ({ active, userId, coachId }) => (active ? [userId, coachId] : []),
);

/** The monthly price of each coach; it stays in billing's books, also of one who is erased. */
export const priceTopic = stateTopic(
  'pulso.billing.price.v1',
  PriceState,
  ({ coachId }) => [coachId],
  ABOUT_NOBODY,
);

/** What payers are told of their payments. */
export const paymentNoticeTopic = stateTopic(
  'pulso.billing.payment-notice.v1',
  PaymentNoticeState,
  ({ id }) => [id],
  ({ userId }) => [userId],
);

export const billingErasureTopic = stateTopic(
  'pulso.billing.erasure.v1',
  ErasedUserState,
  ({ userId }) => [userId],
  ABOUT_NOBODY,
);
