import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { Clock } from '@pulso/platform/time/clock';
import { givesAccessAt } from './subscription.js';

/** How many subscribe to a coach, and whether the viewer does. */
export interface CoachFigures {
  id: string;
  /** Those with access now. */
  live: number;
  /** Those who ever had access. */
  ever: number;
  subscribed: boolean;
}

const AMONG = statement<CoachFigures>(
  'coach-figures.among',
  `SELECT asked.id, coalesce(counts.ever_count, 0) AS ever,
     greatest(coalesce(counts.live_count, 0) - (
       SELECT count(*)::int FROM subscriptions lapsed
       WHERE lapsed.coach_id = asked.id AND lapsed.gives_access AND lapsed.access_until <= $3::timestamptz
     ), 0) AS live,
     EXISTS (SELECT FROM subscriptions mine WHERE mine.user_id = $1::uuid AND mine.coach_id = asked.id
             AND ${givesAccessAt('mine', '$3')}) AS subscribed
   FROM unnest($2::uuid[]) WITH ORDINALITY AS asked (id, place)
   LEFT JOIN coach_counts counts ON counts.coach_id = asked.id
   ORDER BY asked.place`,
);

@Injectable()
export class CoachFiguresRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  /**
   * One row per id, in the order given. The kept count also holds the few whose access has lapsed and whose rows are not
   * written yet; they are taken off.
   */
  among(viewerId: string | null, userIds: readonly string[]): Promise<CoachFigures[]> {
    return this.statements.rows(AMONG, [viewerId, userIds, new Date(this.clock.now())]);
  }
}
