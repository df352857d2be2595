import { Injectable } from '@nestjs/common';
import type { SubscribeRequest, SubscribeResponse } from '@pulso/contracts/billing/v1/billing';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { blocked, userNotFound } from '@pulso/platform/errors/user-errors';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { IdempotentWrites } from '@pulso/platform/postgres/idempotent-writes';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { endFor } from '../store/ending.js';
import { EndingRepository } from '../store/ending.repository.js';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { PriceRepository } from '../store/price.repository.js';
import { KnownBlocks } from '../projections/known-blocks.js';
import { KnownUsers } from '../projections/known-users.js';
import { storedSubscription } from './stored-subscription.js';
import { cannotSubscribeSelf, notACoach } from './subscription-errors.js';
import { toSubscriptionMessage } from './subscription-message.js';
import { begin, NO_TERMS } from '../store/subscription.js';
import { type Subscription, toSubscriptionState } from '../store/subscription.entity.js';
import { type Pair, SubscriptionRepository } from '../store/subscription.repository.js';

/**
 * `PUT /api/subscriptions/{coachId}`, idempotent: the direct subscribe, which takes no money (SUBS-8). Throws
 * `cannot-subscribe-self`, `not-found`, `blocked`, then `not-a-coach`.
 */
@Injectable()
export class Subscribe {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairWrites,
    private readonly blocks: KnownBlocks,
    private readonly subscriptions: SubscriptionRepository,
    private readonly endings: EndingRepository,
    private readonly prices: PriceRepository,
    private readonly idempotent: IdempotentWrites,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId, idempotency }: SubscribeRequest): Promise<SubscribeResponse> {
    const { userId } = requireCaller();
    await this.users.requireCallerAnd(userId, coachId);
    if (coachId === userId) throw cannotSubscribeSelf();

    const pair = { userId, coachId };
    return this.pairs.run(userId, coachId, async (transaction) => {
      await this.check(pair, transaction);
      const onKnown = () => this.stands(pair, transaction);
      const once = { request: idempotency, callerId: userId, codec: storedSubscription, onKnown };
      return this.idempotent.once(once, transaction, async () => {
        const { subscription, created } = await this.begin(pair, transaction);
        const price = await this.prices.of(coachId, transaction.manager);
        return { subscription: toSubscriptionMessage(subscription, price, this.clock.now()), created };
      });
    });
  }

  /** Under the pair's lock and those of both users: nothing begins after the block or state that forbids it. */
  private async check({ userId, coachId }: Pair, transaction: Transaction): Promise<void> {
    const coach = await this.users.lockCallerAnd(userId, coachId, transaction);
    const between = await this.blocks.between(userId, coachId, transaction);
    if (between.blockedBy) throw userNotFound();
    if (between.blocked) throw blocked();
    if (!coach.isCoach) throw notACoach();
  }

  private async begin(
    pair: Pair,
    transaction: Transaction,
  ): Promise<{ subscription: Subscription; created: boolean }> {
    const now = this.clock.now();
    const before = await this.subscriptions.lock(pair, transaction);
    const present = before ? await this.presentOf(before, now, transaction) : newSubscription(pair, now);
    const begun = begin(present, now);
    const after =
      begun === before ? before : { ...begun, begun: await this.subscriptions.nextBeginning(transaction) };
    const subscription = await this.subscriptions.save({ before, after }, 'cancelled', transaction);
    return { subscription, created: before === undefined };
  }

  /** One that an ending is about to reach is to its owner as that will leave it: they begin anew, or take up what is paid. */
  private async presentOf(
    subscription: Subscription,
    now: number,
    transaction: Transaction,
  ): Promise<Subscription> {
    const reasons = await this.endings.reasonsFor(subscription, subscription.begun, transaction);
    return reasons.reduce((present, reason) => endFor(reason, present, now), subscription);
  }

  private async stands(pair: Pair, transaction: Transaction): Promise<void> {
    const standing = await this.subscriptions.lock(pair, transaction);
    if (standing) transaction.stands(subscriptionTopic, toSubscriptionState(standing));
  }
}

/** A row that nothing has happened to yet. There is one plan (SUBS-15). */
export function newSubscription(pair: Pair, now: number): Subscription {
  const { userId, coachId } = pair;
  const id = newIdAt(now);
  return {
    ...NO_TERMS,
    ...{ id, userId, coachId, planType: 'monthly', createdAt: now },
    ...{ givesAccess: false, begun: 0, version: 0 },
  };
}
