import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { Provider } from '../provider/provider.js';
import { endFor } from '../store/ending.js';
import { newSubscription, type Subscription } from '../store/subscription.entity.js';
import { begin, givesAccess, stop } from '../store/subscription.js';
import { type ActOn, type Pair, SubscriptionRepository } from '../store/subscription.repository.js';
import { EndAtProvider, refundOf } from '../provider-calls/end-at-provider.js';
import { paymentRequired, priceNotSet } from './subscription-errors.js';

/**
 * Begins the one subscription of a pair, or begins it again, or lets go on what was to end with its period; access checks come
 * before it. With a provider, what has a price is not begun here (SUBS-8).
 */
@Injectable()
export class BeginSubscription {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly provider: Provider,
    private readonly atProvider: EndAtProvider,
    private readonly clock: Clock,
  ) {}

  /**
   * With what `lockForAct` has found under the locks of the pair and of both users. `created`: there was none before. Throws
   * `price-not-set`, `payment-required`.
   */
  async execute(
    pair: Pair,
    { before, waitingEndings, nextBeginning, price }: ActOn,
    transaction: Transaction,
  ): Promise<{ subscription: Subscription; created: boolean }> {
    const now = this.clock.now();
    // As waiting endings will leave it: its owner begins anew, or takes up what is paid.
    const present = before
      ? waitingEndings.reduce((left, reason) => endFor(reason, left, now), before)
      : newSubscription(pair, now);
    const hasAccess = givesAccess(present, now);
    const mustPay = this.provider.isOn && price.priceMinor !== 0;
    if (mustPay && !hasAccess) throw price.priceMinor === null ? priceNotSet() : paymentRequired();
    // What runs out at the provider, paid as it is, cannot be begun for nothing.
    const runsOut = mustPay && present.status === 'cancelled';
    const begun = runsOut ? present : begin(present, now);
    const after = begun === before ? before : { ...begun, begun: nextBeginning };
    const subscription = await this.subscriptions.save({ before, after }, 'cancelled', transaction);
    const reason = waitingEndings.at(-1) ?? 'lapsed';
    // What was paid before is over where the pair begins anew for nothing.
    const isOver = before && subscription.providerSubscriptionId !== before.providerSubscriptionId;
    const change = { before, after: isOver ? stop(before, now) : subscription };
    await this.atProvider.follow(change, reason, refundOf(reason), transaction);
    return { subscription, created: before === undefined };
  }
}
