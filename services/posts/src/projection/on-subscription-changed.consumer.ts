import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import type { Consumer } from '@pulso/platform/events/event-bus';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import type { GraphRows } from './graph-rows.js';

/** pulso.billing.subscription.v1 → subscriptions: who has access to a coach's posts, and until when. */
export function onSubscriptionChanged(rows: GraphRows): Consumer<SubscriptionState> {
  return {
    group: 'posts.subscriptions',
    topic: subscriptionTopic,
    handle: ({ userId, coachId, active, accessUntil }, event) => {
      const until = accessUntil === undefined ? null : new Date(accessUntil);
      return rows.write('subscriptions', event, { userId, coachId, active, accessUntil: until }, [userId]);
    },
  };
}
