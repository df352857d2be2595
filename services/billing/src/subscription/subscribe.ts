import { Injectable } from '@nestjs/common';
import type { SubscribeRequest, SubscribeResponse } from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { blocked, userNotFound } from '@pulso/platform/errors/user-errors';
import { IdempotentWrites } from '@pulso/platform/postgres/idempotent-writes';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { KnownBlocks } from '../projections/known-blocks.js';
import { KnownUsers } from '../projections/known-users.js';
import { PriceRepository } from '../store/price.repository.js';
import { type Pair, SubscriptionRepository } from '../store/subscription.repository.js';
import { BeginSubscription } from './begin-subscription.js';
import { storedSubscription } from './stored-subscription.js';
import { cannotSubscribeSelf, notACoach } from './subscription-errors.js';
import { toSubscriptionMessage } from './subscription-message.js';

/**
 * `PUT /api/subscriptions/{coachId}`, idempotent: the direct subscribe, which takes no money (SUBS-8). Throws `not-found`,
 * `cannot-subscribe-self`, `not-found` to a user whom the coach has blocked, `blocked`, then `not-a-coach`.
 */
@Injectable()
export class Subscribe {
  constructor(
    private readonly users: KnownUsers,
    private readonly blocks: KnownBlocks,
    private readonly pairs: PairWrites,
    private readonly idempotent: IdempotentWrites,
    private readonly beginning: BeginSubscription,
    private readonly subscriptions: SubscriptionRepository,
    private readonly prices: PriceRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId, idempotency }: SubscribeRequest): Promise<SubscribeResponse> {
    const { userId } = requireCaller();
    const pair = { userId, coachId };
    return this.pairs.run(userId, coachId, async (transaction) => {
      await this.checkAccess(pair, transaction);
      const onKnown = () => this.subscriptions.recordUnchanged(pair, transaction);
      const once = { request: idempotency, callerId: userId, codec: storedSubscription, onKnown };
      return this.idempotent.once(once, transaction, async () => {
        const { subscription, created } = await this.beginning.execute(pair, transaction);
        const price = await this.prices.of(coachId, transaction.manager);
        return { subscription: toSubscriptionMessage(subscription, price, this.clock.now()), created };
      });
    });
  }

  /**
   * Under the pair's lock and those of both users' rows: no block and no state of a user that ends subscriptions comes
   * between the check and the commit.
   */
  private async checkAccess({ userId, coachId }: Pair, { manager }: Transaction): Promise<void> {
    const coach = await this.users.requireCallerAnd(userId, coachId, { manager, lock: true });
    if (coachId === userId) throw cannotSubscribeSelf();
    const between = await this.blocks.between(userId, coachId, manager);
    if (between.blockedBy) throw userNotFound();
    if (between.blocked) throw blocked();
    if (!coach.isCoach) throw notACoach();
  }
}
