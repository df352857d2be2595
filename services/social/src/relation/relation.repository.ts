import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { notGone } from '../visibility/hidden-users.js';

export interface RelationRow {
  id: string;
  following: boolean;
  followsYou: boolean;
  blocked: boolean;
  blockedBy: boolean;
  reviewed: boolean;
  followerCount: number;
  followingCount: number;
  ratingSum: number;
  totalReviews: number;
}

/** Reads across follows, blocks and reviews; counts all of them from the rows. */
@Injectable()
export class RelationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** One row per id in the order given; a single statement, so that all numbers are from the same moment. */
  among(viewerId: string | null, userIds: readonly string[]): Promise<RelationRow[]> {
    return this.dataSource.query<RelationRow[]>(
      `SELECT asked.id,
         EXISTS (SELECT FROM follows WHERE follower_id = $1::uuid AND target_id = asked.id
                 AND deleted_at IS NULL) AS following,
         EXISTS (SELECT FROM follows WHERE follower_id = asked.id AND target_id = $1::uuid
                 AND deleted_at IS NULL) AS "followsYou",
         EXISTS (SELECT FROM blocks WHERE blocker_id = $1::uuid AND blocked_id = asked.id
                 AND deleted_at IS NULL) AS blocked,
         EXISTS (SELECT FROM blocks WHERE blocker_id = asked.id AND blocked_id = $1::uuid
                 AND deleted_at IS NULL) AS "blockedBy",
         EXISTS (SELECT FROM reviews WHERE coach_id = asked.id AND reviewer_id = $1::uuid
                 AND deleted_at IS NULL) AS reviewed,
         (SELECT count(*)::int FROM follows
          WHERE target_id = asked.id AND deleted_at IS NULL AND ${notGone('follower_id')}) AS "followerCount",
         (SELECT count(*)::int FROM follows
          WHERE follower_id = asked.id AND deleted_at IS NULL AND ${notGone('target_id')}) AS "followingCount",
         rating.sum AS "ratingSum", rating.count AS "totalReviews"
       FROM unnest($2::uuid[]) WITH ORDINALITY AS asked (id, place)
       CROSS JOIN LATERAL (
         SELECT coalesce(sum(rating), 0)::int AS sum, count(*)::int AS count FROM reviews
         WHERE coach_id = asked.id AND deleted_at IS NULL AND ${notGone('reviewer_id')}) rating
       ORDER BY asked.place`,
      [viewerId, userIds],
    );
  }
}
