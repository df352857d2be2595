import type { Pool } from 'pg';
import type { Clock } from '../../time/clock.js';
import type { SkippedHistory } from '../skipped-history.js';
import { namedRows } from './named-rows.js';
import { registerSubscriptions, type Subscription } from './register-subscriptions.js';

/** The statements of the in-process bus about who consumes what, in all processes. */
export class SubscriptionStore {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** See `registerSubscriptions`. */
  register(subscriptions: readonly Subscription[]): Promise<SkippedHistory[]> {
    return registerSubscriptions(this.pool, subscriptions, new Date(this.clock.now()));
  }

  /** The topics that groups of other processes consume. */
  async elsewhere(groups: readonly string[]): Promise<string[]> {
    const found = await namedRows<{ topic: string }>(
      this.pool,
      'bus-elsewhere',
      'SELECT DISTINCT topic FROM bus_subscriptions WHERE grp <> ALL($1::text[])',
      [groups],
    );
    return found.map(({ topic }) => topic);
  }

  /** The projections of these topics in all processes. */
  projections(topics: readonly string[]): Promise<{ group: string; topic: string }[]> {
    return namedRows(
      this.pool,
      'bus-projections',
      `SELECT grp AS "group", topic FROM bus_subscriptions WHERE topic = ANY($1::text[]) AND NOT reaction`,
      [topics],
    );
  }

  /** The topics of which one of these groups has not got all states. */
  async unfilledTopics(groups: readonly string[]): Promise<string[]> {
    const found = await namedRows<{ topic: string }>(
      this.pool,
      'bus-unfilled',
      'SELECT DISTINCT topic FROM bus_subscriptions WHERE grp = ANY($1::text[]) AND NOT filled ORDER BY topic',
      [groups],
    );
    return found.map(({ topic }) => topic);
  }

  async markFilled(groups: readonly string[], topic: string): Promise<void> {
    await namedRows(
      this.pool,
      'bus-filled',
      'UPDATE bus_subscriptions SET filled = true WHERE grp = ANY($1::text[]) AND topic = $2',
      [groups, topic],
    );
  }
}
