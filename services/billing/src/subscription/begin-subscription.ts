import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { endFor } from '../store/ending.js';
import { newSubscription, type Subscription } from '../store/subscription.entity.js';
import { begin } from '../store/subscription.js';
import { type ActOn, type Pair, SubscriptionRepository } from '../store/subscription.repository.js';

/** Begins the one subscription of a pair, or begins it again; access checks come before it. */
@Injectable()
export class BeginSubscription {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly clock: Clock,
  ) {}

  /** With what `lockForAct` has found under the locks of the pair and of both users. `created`: there was none before. */
  async execute(
    pair: Pair,
    { before, waitingEndings, nextBeginning }: ActOn,
    transaction: Transaction,
  ): Promise<{ subscription: Subscription; created: boolean }> {
    const now = this.clock.now();
    // As waiting endings will leave it: its owner begins anew, or takes up what is paid.
    const present = before
      ? waitingEndings.reduce((left, reason) => endFor(reason, left, now), before)
      : newSubscription(pair, now);
    const begun = begin(present, now);
    const after = begun === before ? before : { ...begun, begun: nextBeginning };
    const subscription = await this.subscriptions.save({ before, after }, 'cancelled', transaction);
    return { subscription, created: before === undefined };
  }
}
