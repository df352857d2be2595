import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { figuresOf } from './figures.repository.js';
import { notGone } from './hidden-users.js';
import type { Figures } from './user-figures.entity.js';

export interface RelationRow extends Figures {
  id: string;
  following: boolean;
  followsYou: boolean;
  blocked: boolean;
  blockedBy: boolean;
  reviewed: boolean;
  followingCount: number;
}

const AMONG = statement<RelationRow>(
  'relations.among',
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
      WHERE follower_id = asked.id AND deleted_at IS NULL AND ${notGone('target_id')}) AS "followingCount",
     figures.*
   FROM unnest($2::uuid[]) WITH ORDINALITY AS asked (id, place)
   CROSS JOIN LATERAL ${figuresOf('asked.id')} AS figures
   ORDER BY asked.place`,
);

/**
 * Reads across follows, blocks and reviews. Only followings are counted from the rows: a user's own follows are few,
 * while many may follow one user.
 */
@Injectable()
export class RelationRepository {
  constructor(private readonly statements: Statements) {}

  /** One row per id in the order given; a single statement, so that all numbers are from the same moment. */
  among(viewerId: string | null, userIds: readonly string[]): Promise<RelationRow[]> {
    return this.statements.rows(AMONG, [viewerId, userIds]);
  }
}
