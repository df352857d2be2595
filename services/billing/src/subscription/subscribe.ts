import { Injectable } from '@nestjs/common';
import type { SubscribeRequest, SubscribeResponse } from '@pulso/contracts/billing/v1/billing';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { blocked, userNotFound } from '@pulso/platform/errors/user-errors';
import { IdempotentWrites } from '@pulso/platform/postgres/idempotent-writes';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../projections/known-users.js';
import { toSubscriptionState } from '../store/subscription.entity.js';
import { type ActOn, type Pair, SubscriptionRepository } from '../store/subscription.repository.js';
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
    private readonly writes: Writes,
    private readonly idempotent: IdempotentWrites,
    private readonly beginning: BeginSubscription,
    private readonly subscriptions: SubscriptionRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId, idempotency }: SubscribeRequest): Promise<SubscribeResponse> {
    const { userId } = requireCaller();
    const pair = { userId, coachId };
    return this.writes.run(async (transaction) => {
      const found = await this.checkAccess(pair, transaction);
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

  /**
   * Under the pair's lock and those of both users' rows: no block and no state of a user that ends subscriptions comes
   * between the check and the commit. Returns what the subscribe finds.
   */
  private async checkAccess(pair: Pair, transaction: Transaction): Promise<ActOn> {
    const { userId, coachId } = pair;
    const coach = await this.users.requireBothInPair(userId, coachId, transaction, { lock: true });
    if (coachId === userId) throw cannotSubscribeSelf();
    const found = await this.subscriptions.lockForAct(pair, transaction);
    if (found.blocks.blockedBy) throw userNotFound();
    if (found.blocks.blocked) throw blocked();
    if (!coach.isCoach) throw notACoach();
    return found;
  }
}
