import { Injectable } from '@nestjs/common';
import type {
  GetSubscriptionRequest,
  Subscription as SubscriptionMessage,
} from '@pulso/contracts/billing/v1/billing';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { notFound } from '@pulso/platform/errors/domain-error';
import { Commits } from '@pulso/platform/events/outbox/commits';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { SubscriptionListRepository } from '../store/subscription-list.repository.js';
import { toSubscriptionState } from '../store/subscription.entity.js';
import { toSubscriptionMessage } from './subscription-message.js';

/**
 * The caller's own subscription to a coach. The answer carries its consistency token while it is new, so that a page that did
 * not make the change reads what it opens as well (NOTIF-11). Throws `not-found` if there never was one.
 */
@Injectable()
export class GetSubscription {
  constructor(
    private readonly subscriptions: SubscriptionListRepository,
    private readonly commits: Commits,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId }: GetSubscriptionRequest): Promise<SubscriptionMessage> {
    const { userId } = requireCaller();
    const found = isId(coachId) ? await this.subscriptions.find(userId, coachId) : undefined;
    if (!found) throw notFound('Subscription not found');
    this.commits.recordUnchanged(subscriptionTopic, toSubscriptionState(found.subscription));
    return toSubscriptionMessage(found.subscription, found.price, this.clock.now());
  }
}
