import { Injectable } from '@nestjs/common';
import type {
  CancelSubscriptionRequest,
  Subscription as SubscriptionMessage,
} from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { KnownBlocks } from '../projections/known-blocks.js';
import { KnownUsers } from '../projections/known-users.js';
import { PriceRepository } from '../store/price.repository.js';
import { newSubscription } from '../store/subscription.entity.js';
import { cancel } from '../store/subscription.js';
import { type Pair, SubscriptionRepository } from '../store/subscription.repository.js';
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
    private readonly pairs: PairWrites,
    private readonly blocks: KnownBlocks,
    private readonly subscriptions: SubscriptionRepository,
    private readonly prices: PriceRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId }: CancelSubscriptionRequest): Promise<SubscriptionMessage> {
    const { userId } = requireCaller();
    await this.users.requireCaller(userId);
    if (coachId === userId) throw cannotSubscribeSelf();
    if (!isId(coachId)) throw userNotFound();

    const pair = { userId, coachId };
    return this.pairs.run(userId, coachId, async (transaction) => {
      const now = this.clock.now();
      const before = await this.subscriptions.lock(pair, transaction);
      if (!before) await this.checkCoach(pair, transaction);
      const after = cancel(before ?? newSubscription(pair, now), now);
      const saved = await this.subscriptions.save({ before, after }, 'cancelled', transaction);
      const price = await this.prices.of(coachId, transaction.manager);
      return toSubscriptionMessage(saved, price, now);
    });
  }

  private async checkCoach({ userId, coachId }: Pair, { manager }: Transaction): Promise<void> {
    await this.users.require(coachId, SUSPENDED_TOO, manager);
    const { blockedBy } = await this.blocks.between(userId, coachId, manager);
    if (blockedBy) throw userNotFound();
  }
}
