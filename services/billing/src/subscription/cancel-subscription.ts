import { Injectable } from '@nestjs/common';
import type {
  CancelSubscriptionRequest,
  Subscription as SubscriptionMessage,
} from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { KnownUsers } from '../projections/known-users.js';
import { newSubscription } from '../store/subscription.entity.js';
import { cancel } from '../store/subscription.js';
import { SubscriptionRepository } from '../store/subscription.repository.js';
import { EndAtProvider, refundOf } from '../provider-calls/end-at-provider.js';
import { SeePayment } from './see-payment.js';
import { cannotSubscribeSelf } from './subscription-errors.js';
import { toSubscriptionMessage } from './subscription-message.js';

/**
 * `DELETE /api/subscriptions/{coachId}`, idempotent: ends a free subscription at once and a paid one with its period, and
 * makes a cancelled one where there was none (SUBS-11). Nobody is kept from ending their own subscription. Throws
 * `cannot-subscribe-self`, and `not-found` where there is neither a subscription nor a user to see.
 */
@Injectable()
export class CancelSubscription {
  constructor(
    private readonly users: KnownUsers,
    private readonly payment: SeePayment,
    private readonly writes: Writes,
    private readonly subscriptions: SubscriptionRepository,
    private readonly atProvider: EndAtProvider,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId }: CancelSubscriptionRequest): Promise<SubscriptionMessage> {
    const { userId } = requireCaller();
    const pair = { userId, coachId };
    // It may have been let go on in the provider's portal: then it is to end once more.
    await this.payment.execute(pair);
    return this.writes.run(async (transaction) => {
      await this.users.requireCallerInPair(userId, coachId, transaction);
      if (coachId === userId) throw cannotSubscribeSelf();
      if (!isId(coachId)) throw userNotFound();
      const now = this.clock.now();
      const { before, blocks, price } = await this.subscriptions.lockForAct(pair, transaction);
      if (!before) {
        await this.users.require(coachId, SUSPENDED_TOO, transaction);
        if (blocks.blockedBy) throw userNotFound();
      }
      const after = cancel(before ?? newSubscription(pair, now), now);
      const saved = await this.subscriptions.save({ before, after }, 'cancelled', transaction);
      const refund = refundOf('cancelled');
      await this.atProvider.follow({ before, after: saved }, 'cancelled', refund, transaction);
      return toSubscriptionMessage(saved, price, now);
    });
  }
}
