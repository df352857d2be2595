import { Injectable } from '@nestjs/common';
import type { Subscription as SubscriptionMessage } from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { PriceRepository } from '../price/price.repository.js';
import { SubscriptionListRepository } from '../subscription/subscription-list.repository.js';
import { toSubscriptionMessage } from '../subscription/subscription-message.js';

/** The caller's own subscription to a coach. Throws `not-found` if there never was one. */
@Injectable()
export class GetSubscription {
  constructor(
    private readonly subscriptions: SubscriptionListRepository,
    private readonly prices: PriceRepository,
    private readonly clock: Clock,
  ) {}

  async execute(coachId: string): Promise<SubscriptionMessage> {
    const { userId } = requireCaller();
    const found = isId(coachId) ? await this.subscriptions.find(userId, coachId) : null;
    if (!found) throw notFound('Subscription not found');
    return toSubscriptionMessage(found, await this.prices.of(coachId), this.clock.now());
  }
}
