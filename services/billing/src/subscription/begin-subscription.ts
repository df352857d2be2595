import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { endFor } from '../store/ending.js';
import { EndingRepository } from '../store/ending.repository.js';
import { newSubscription, type Subscription } from '../store/subscription.entity.js';
import { begin } from '../store/subscription.js';
import { type Pair, SubscriptionRepository } from '../store/subscription.repository.js';

/** Begins the one subscription of a pair, or begins it again; access checks come before it. */
@Injectable()
export class BeginSubscription {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly endings: EndingRepository,
    private readonly clock: Clock,
  ) {}

  /** Requires the pair's lock. `created`: there was none before. */
  async execute(
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

  /** The subscription as waiting endings will leave it: its owner begins anew, or takes up what is paid. */
  private async presentOf(
    subscription: Subscription,
    now: number,
    transaction: Transaction,
  ): Promise<Subscription> {
    const reasons = await this.endings.reasonsFor(subscription, subscription.begun, transaction);
    return reasons.reduce((present, reason) => endFor(reason, present, now), subscription);
  }
}
