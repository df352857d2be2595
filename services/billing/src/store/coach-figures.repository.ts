import { Injectable } from '@nestjs/common';
import type { ReadOfMany } from '@pulso/platform/memory/cached-rows';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { Clock } from '@pulso/platform/time/clock';
import { BillingRows, countsRow, subscriptionRow } from './billing-rows.js';
import { givesAccessAt, type SubscriptionStatus } from './subscription.js';

/** How many subscribe to a coach, and by what subscription the viewer does. */
export interface CoachFigures {
  id: string;
  /** Those with access now. */
  live: number;
  /** Those who ever had access. */
  ever: number;
  /** The viewer's subscription; null where it gives no access. */
  own: OwnSubscription | null;
}

/** Times are milliseconds since the epoch, money is in minor units. */
export interface OwnSubscription {
  status: SubscriptionStatus;
  accessUntil: number | null;
  cancelAtPeriodEnd: boolean;
  priceMinor: number | null;
  priceCurrency: string | null;
}

interface CoachFiguresRow extends CoachFigures {
  /** When the access of the next of the coach's subscribers lapses by time alone; null if none does. */
  nextLapse: Date | null;
}

const AMONG = statement<CoachFiguresRow>(
  'coach-figures.among',
  `SELECT asked.id, coalesce(counts.ever_count, 0) AS ever,
     greatest(coalesce(counts.live_count, 0) - (
       SELECT count(*)::int FROM subscriptions lapsed
       WHERE lapsed.coach_id = asked.id AND lapsed.gives_access AND lapsed.access_until <= $3::timestamptz
     ), 0) AS live,
     CASE WHEN mine.user_id IS NOT NULL THEN json_build_object(
       'status', mine.status, 'accessUntil', floor(extract(epoch FROM mine.access_until) * 1000)::bigint,
       'cancelAtPeriodEnd', mine.cancel_at_period_end, 'priceMinor', mine.price_minor, 'priceCurrency', mine.price_currency
     ) END AS own,
     (SELECT min(access_until) FROM subscriptions ending
      WHERE ending.coach_id = asked.id AND ending.gives_access AND ending.access_until > $3::timestamptz) AS "nextLapse"
   FROM unnest($2::uuid[]) AS asked (id)
   LEFT JOIN coach_counts counts ON counts.coach_id = asked.id
   LEFT JOIN subscriptions mine ON mine.user_id = $1::uuid AND mine.coach_id = asked.id AND ${givesAccessAt('mine', '$3')}`,
);

@Injectable()
export class CoachFiguresRepository {
  constructor(
    private readonly statements: Statements,
    private readonly kept: BillingRows,
    private readonly clock: Clock,
  ) {}

  /**
   * By id; also of users who are no coaches. The kept count also holds the few whose access has lapsed and whose rows are not
   * written yet; they are taken off. What is not in memory comes from a single statement.
   */
  among(viewerId: string | null, userIds: readonly string[]): Promise<ReadonlyMap<string, CoachFigures>> {
    return this.kept.readMany(userIds, this.readingOf(viewerId));
  }

  private readingOf(viewerId: string | null): ReadOfMany<CoachFiguresRow> {
    return {
      nameOf: (id) => `figures ${viewerId} ${id}`,
      rowsOf: (id) => (viewerId === null ? [countsRow(id)] : [countsRow(id), subscriptionRow(viewerId, id)]),
      load: async (ids) => {
        const rows = await this.statements.rows(AMONG, [viewerId, ids, new Date(this.clock.now())]);
        return new Map(rows.map((row) => [row.id, row]));
      },
      holds: ({ nextLapse }) => nextLapse === null || this.clock.now() < nextLapse.getTime(),
    };
  }
}
