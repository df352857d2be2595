import { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { stateTopic } from './topic.js';

export const subscriptionTopic = stateTopic(
  'pulso.billing.subscription.v1',
  SubscriptionState,
  ({ userId, coachId }) => [userId, coachId],
);
