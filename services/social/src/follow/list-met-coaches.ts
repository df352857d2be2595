import { Injectable } from '@nestjs/common';
import type { ListMetCoachesResponse } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { DataSource } from 'typeorm';
import { notBlocked } from '../store/hidden-users.js';

const MOST = 10;
/** Of the people whom the viewer follows, and of those whom each of them follows, the latest: at most 10,000 rows are read. */
const LATEST = 100;

const followedBy = (column: string) => `
  SELECT target_id FROM follows WHERE follower_id = ${column} AND deleted_at IS NULL
  ORDER BY created_at DESC, target_id DESC LIMIT ${LATEST}`;

/** The first part of `GET /api/coaches/suggested` (PEOPLE-16). */
@Injectable()
export class ListMetCoaches {
  constructor(private readonly dataSource: DataSource) {}

  async execute(): Promise<ListMetCoachesResponse> {
    const { userId: viewer } = requireCaller();
    const rows = await this.dataSource.query<{ id: string }[]>(
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
       ORDER BY coalesce(figures.rating_sum, 0) DESC, coalesce(figures.follower_count, 0) DESC, met.id LIMIT ${MOST}`,
      [viewer],
    );
    return { userIds: rows.map(({ id }) => id) };
  }
}
