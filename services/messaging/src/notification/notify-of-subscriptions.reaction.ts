import { Injectable } from '@nestjs/common';
import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import type { Reaction } from '@pulso/platform/events/projection';
import { NotificationWriter } from './notification-writer.js';

/** `subscription` (NOTIF-2): once a member, and it stays when the subscription ends, because they did subscribe. */
@Injectable()
export class NotifyOfSubscriptions implements Reaction<SubscriptionState> {
  readonly name = 'notify-of-subscriptions';
  readonly topic = subscriptionTopic;

  constructor(private readonly writer: NotificationWriter) {}

  async handle({ userId, coachId, version, active }: SubscriptionState): Promise<void> {
    if (!active) return;
    const people = { actorId: userId, receiverId: coachId };
    await this.writer.apply({ ...people, type: 'subscription', targetId: coachId }, { version, due: true });
  }
}
