import { Injectable } from '@nestjs/common';
import { blocked, userNotFound } from '@pulso/platform/errors/user-errors';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { KnownUsers } from '../projections/known-users.js';
import { type ActOn, type Pair, SubscriptionRepository } from '../store/subscription.repository.js';
import { cannotSubscribeSelf, notACoach } from './subscription-errors.js';

/** The access check of who subscribes, for free or at the provider's checkout. */
@Injectable()
export class CheckSubscriber {
  constructor(
    private readonly users: KnownUsers,
    private readonly subscriptions: SubscriptionRepository,
  ) {}

  /**
   * Under the pair's lock and those of both users' rows: no block and no state of a user that ends subscriptions comes
   * between the check and the commit. Returns what the subscribe finds. Throws `not-found`, `cannot-subscribe-self`, `not-found`
   * to a user whom the coach has blocked, `blocked`, then `not-a-coach`.
   */
  async execute(pair: Pair, transaction: Transaction): Promise<ActOn> {
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
