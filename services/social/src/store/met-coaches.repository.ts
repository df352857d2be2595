import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { notBlocked } from './hidden-users.js';

const MAX_COACHES = 10;
/** The latest follows that are read of the viewer and of each user whom they follow: at most 10,000 rows in all. */
const LATEST_FOLLOWS = 100;

const followedBy = (column: string) => `
  SELECT target_id FROM follows WHERE follower_id = ${column} AND deleted_at IS NULL
  ORDER BY created_at DESC, target_id DESC LIMIT ${LATEST_FOLLOWS}`;

const MET_COACHES = statement<{ id: string }>(
  'met-coaches.list',
  `WITH met AS (
     SELECT DISTINCT theirs.target_id AS id
     FROM (${followedBy('$1')}) AS mine
     CROSS JOIN LATERAL (${followedBy('mine.target_id')}) AS theirs
   )
   SELECT met.id FROM met JOIN known_users coach ON coach.id = met.id AND coach.is_coach AND coach.status = 'active'
     LEFT JOIN user_figures figures ON figures.user_id = met.id
   WHERE met.id <> $1 AND ${notBlocked('met.id', '$1')}
     AND NOT EXISTS (
       SELECT FROM follows WHERE follower_id = $1 AND target_id = met.id AND deleted_at IS NULL)
   ORDER BY coalesce(figures.rating_sum, 0) DESC, coalesce(figures.follower_count, 0) DESC, met.id
   LIMIT ${MAX_COACHES}`,
);

/** Reads follows across two steps. */
@Injectable()
export class MetCoachesRepository {
  constructor(private readonly statements: Statements) {}

  /** The ids of coaches whom people that the viewer follows follow, and the viewer does not (PEOPLE-16), the best first. */
  async list(viewerId: string): Promise<string[]> {
    const rows = await this.statements.rows(MET_COACHES, [viewerId]);
    return rows.map(({ id }) => id);
  }
}
