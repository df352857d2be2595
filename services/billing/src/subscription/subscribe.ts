import { Injectable } from '@nestjs/common';
import type { SubscribeRequest, SubscribeResponse } from '@pulso/contracts/billing/v1/billing';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { IdempotentWrites } from '@pulso/platform/postgres/idempotent-writes';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { toSubscriptionState } from '../store/subscription.entity.js';
import { BeginSubscription } from './begin-subscription.js';
import { CheckSubscriber } from './check-subscriber.js';
import { SeePayment } from './see-payment.js';
import { storedSubscription } from './stored-subscription.js';
import { toSubscriptionMessage } from './subscription-message.js';

/**
 * `PUT /api/subscriptions/{coachId}`, idempotent: the direct subscribe, which takes no money (SUBS-8). With a provider it also
 * tells who comes back from checkout what has become of it, and lets go on what was to end. Throws like `CheckSubscriber`,
 * then like `BeginSubscription`.
 */
@Injectable()
export class Subscribe {
  constructor(
    private readonly access: CheckSubscriber,
    private readonly payment: SeePayment,
    private readonly writes: Writes,
    private readonly idempotent: IdempotentWrites,
    private readonly beginning: BeginSubscription,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId, idempotency }: SubscribeRequest): Promise<SubscribeResponse> {
    const { userId } = requireCaller();
    const pair = { userId, coachId };
    await this.payment.execute(pair);
    return this.writes.run(async (transaction) => {
      const found = await this.access.execute(pair, transaction);
      const onKnown = async () => {
        if (found.before) transaction.recordUnchanged(subscriptionTopic, toSubscriptionState(found.before));
      };
      const once = {
        request: idempotency,
        callerId: userId,
        codec: storedSubscription,
        onKnown,
        isSerial: true,
      };
      return this.idempotent.once(once, transaction, async () => {
        const { subscription, created } = await this.beginning.execute(pair, found, transaction);
        return { subscription: toSubscriptionMessage(subscription, found.price, this.clock.now()), created };
      });
    });
  }
}
