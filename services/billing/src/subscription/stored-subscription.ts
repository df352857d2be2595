import { SubscribeResponse } from '@pulso/contracts/billing/v1/billing';
import { type AnswerCodec, storedAnswer } from '@pulso/platform/idempotency/answer-codec';

/** The answer to a subscribe as it is stored under its Idempotency-Key; it holds nothing that a user wrote. */
export const storedSubscription: AnswerCodec<SubscribeResponse> = storedAnswer(
  SubscribeResponse,
  {
    subscription: {
      id: 'kept',
      userId: 'kept',
      coachId: 'kept',
      planType: 'kept',
      status: 'kept',
      startDate: 'kept',
      createdAt: 'kept',
      cancelledAt: 'kept',
      currentPeriodEnd: 'kept',
      cancelAtPeriodEnd: 'kept',
      accessUntil: 'kept',
      priceMinor: 'kept',
      currency: 'kept',
      givesAccess: 'kept',
      paid: { currency: 'kept', amountMinor: 'kept' },
      refunded: { currency: 'kept', amountMinor: 'kept' },
      refundedAt: 'kept',
      disputed: 'kept',
    },
    created: 'kept',
  },
  (stored) => stored,
);
