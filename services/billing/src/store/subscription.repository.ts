import { Injectable } from '@nestjs/common';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { nextVersion } from '@pulso/platform/events/version';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Signals, subscribersChannel, subscriptionChannel } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';
import { CoachCountsRepository } from './coach-counts.repository.js';
import type { EndReason } from './end-reason.js';
import { SubscriptionMetrics } from './subscription-metrics.js';
import { Subscription, toSubscriptionState } from './subscription.entity.js';
import { givesAccess } from './subscription.js';

export type Pair = Pick<Subscription, 'userId' | 'coachId'>;

/** A subscription before a write, if there was one, and as it should be. */
export interface Change {
  before: Subscription | undefined;
  after: Subscription;
}

const KEY_COLUMNS = ['userId', 'coachId'];

@Injectable()
export class SubscriptionRepository {
  constructor(
    private readonly counts: CoachCountsRepository,
    private readonly metrics: SubscriptionMetrics,
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  /** The subscription, locked until the end of the transaction. */
  async lock({ userId, coachId }: Pair, { manager }: Transaction): Promise<Subscription | undefined> {
    const rows = manager.getRepository(Subscription);
    const found = await rows.findOne({ where: { userId, coachId }, lock: { mode: 'pessimistic_write' } });
    return found ?? undefined;
  }

  /** Up to `limit` subscriptions whose access has lapsed, locked; not those that another process has locked. */
  lockLapsed(limit: number, { manager }: Transaction): Promise<Subscription[]> {
    return manager
      .getRepository(Subscription)
      .createQueryBuilder('s')
      .where('s.gives_access AND s.access_until <= :now', { now: new Date(this.clock.now()) })
      .orderBy('s.accessUntil')
      .limit(limit)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
  }

  /** The number of the next beginning, which is greater than those of all subscriptions that have begun. */
  async nextBeginning({ manager }: Transaction): Promise<number> {
    const [row] = await manager.query<{ next: string }[]>(
      `SELECT nextval('subscription_beginnings') AS next`,
    );
    return Number(row!.next);
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
    await transaction.manager.getRepository(Subscription).upsert(saved, KEY_COLUMNS);
    await transaction.publishAll(subscriptionTopic, saved.map(toSubscriptionState));
    // Last, because all writes of a coach's subscribers wait for this row.
    await this.counts.add(changed, transaction);
    transaction.afterCommit.push(() => this.announce(changed, reason));
    return saved;
  }

  /** Lets the subscriber's next request see the subscription as it is, if there is one. */
  async recordUnchanged(pair: Pair, transaction: Transaction): Promise<void> {
    const subscription = await this.lock(pair, transaction);
    if (subscription) transaction.recordUnchanged(subscriptionTopic, toSubscriptionState(subscription));
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
