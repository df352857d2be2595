import { Injectable } from '@nestjs/common';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { nextVersion } from '@pulso/platform/events/version';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Signals, subscribersChannel, subscriptionChannel } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';
import { countChanges } from './coach-counts.repository.js';
import { NO_PRICE, type Price } from './coach-price.entity.js';
import type { EndReason } from './end-reason.js';
import { SubscriptionMetrics } from './subscription-metrics.js';
import {
  LOCK,
  LOCK_FOR_ACT,
  LOCK_LAPSED,
  SAVE,
  toStored,
  toSubscription,
} from './subscription-statements.js';
import { type Subscription, toSubscriptionState } from './subscription.entity.js';
import { givesAccess } from './subscription.js';

export type Pair = Pick<Subscription, 'userId' | 'coachId'>;

/** A subscription before a write, if there was one, and as it should be. */
export interface Change {
  before: Subscription | undefined;
  after: Subscription;
}

/** What an act of a subscriber finds. */
export interface ActOn {
  before: Subscription | undefined;
  /** Why the subscription is about to end: the reasons of the endings that wait for it, the oldest first. */
  waitingEndings: EndReason[];
  /** The number of the next beginning, which is greater than those of all subscriptions that have begun. */
  nextBeginning: number;
  /** By the subscriber, and by the coach. */
  blocks: { blocked: boolean; blockedBy: boolean };
  price: Price;
}

@Injectable()
export class SubscriptionRepository {
  constructor(
    private readonly metrics: SubscriptionMetrics,
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  /** The subscription, locked until the end of the transaction. */
  async lock({ userId, coachId }: Pair, transaction: Transaction): Promise<Subscription | undefined> {
    const [row] = await transaction.rows(LOCK, [userId, coachId]);
    return row && toSubscription(row);
  }

  /**
   * The same with all that an act of the subscriber needs: under the pair's lock no block comes meanwhile, and under those of
   * both users' rows no ending.
   */
  async lockForAct({ userId, coachId }: Pair, transaction: Transaction): Promise<ActOn> {
    const [row] = await transaction.rows(LOCK_FOR_ACT, [userId, coachId]);
    const { waitingEndings, nextBeginning, blocked, blockedBy, coachPriceMinor, coachCurrency, ...mine } =
      row!;
    return {
      before: mine.id === null ? undefined : toSubscription(mine),
      waitingEndings,
      nextBeginning: Number(nextBeginning),
      blocks: { blocked, blockedBy },
      price: coachCurrency === null ? NO_PRICE : { priceMinor: coachPriceMinor, currency: coachCurrency },
    };
  }

  /** Up to `limit` subscriptions whose access has lapsed, locked; not those that another process has locked. */
  async lockLapsed(limit: number, transaction: Transaction): Promise<Subscription[]> {
    const rows = await transaction.rows(LOCK_LAPSED, [new Date(this.clock.now()), limit]);
    return rows.map(toSubscription);
  }

  /**
   * Writes one subscription with its count, and publishes it; nothing where nothing has changed. Returns it as it is stored.
   * Requires the row's lock, or the pair's where there is no row.
   */
  async save(change: Change, reason: EndReason, transaction: Transaction): Promise<Subscription> {
    const [saved] = await this.saveAll([change], reason, transaction);
    if (saved) return saved;
    transaction.recordUnchanged(subscriptionTopic, toSubscriptionState(change.after));
    return change.after;
  }

  /** Like `save`, for many; returns those that have changed. */
  async saveAll(
    changes: readonly Change[],
    reason: EndReason,
    transaction: Transaction,
  ): Promise<Subscription[]> {
    const now = this.clock.now();
    const changed = changes.flatMap(({ before, after }) => {
      const access = givesAccess(after, now);
      if (after === before && before.givesAccess === access) return [];
      const version = nextVersion(before?.version, this.clock);
      return [{ before, after: { ...after, givesAccess: access, version } }];
    });
    const saved = changed.map(({ after }) => after);
    if (saved.length === 0) return [];
    // All writes of a coach's subscribers wait for the row of the counts: call it last.
    await transaction.publishWith(subscriptionTopic, saved.map(toSubscriptionState), {
      asked: SAVE,
      values: [JSON.stringify(saved.map(toStored)), JSON.stringify(countChanges(changed))],
    });
    transaction.afterCommit.push(() => this.announce(changed, reason));
    return saved;
  }

  private announce(changes: readonly Change[], reason: EndReason): void {
    for (const { before, after } of changes) {
      const had = before?.givesAccess ?? false;
      if (after.givesAccess && !had) this.metrics.began();
      if (had && !after.givesAccess) this.metrics.end(reason);
      this.signals.send(subscriptionChannel(after.userId, after.coachId));
    }
    // The coach's list has those who ever had access alone (SUBS-27).
    const listed = changes.filter(({ after }) => after.everActive).map(({ after }) => after.coachId);
    for (const coachId of new Set(listed)) this.signals.send(subscribersChannel(coachId));
  }
}
