import { Injectable } from '@nestjs/common';
import type { ReadOfMany } from '@pulso/platform/memory/cached-rows';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { figuresOf } from './figures.repository.js';
import { notGone } from './hidden-users.js';
import { countsRow, pairRow, SocialRows } from './social-rows.js';
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
   FROM unnest($2::uuid[]) AS asked (id)
   CROSS JOIN LATERAL ${figuresOf('asked.id')} AS figures`,
);

/**
 * Reads across follows, blocks and reviews. Only followings are counted from the rows: a user's own follows are few,
 * while many may follow one user.
 */
@Injectable()
export class RelationRepository {
  private readonly ofVisitor = this.readingOf(null);

  constructor(
    private readonly statements: Statements,
    private readonly kept: SocialRows,
  ) {}

  /** By id; also of unknown users. What is not in memory comes from a single statement. */
  among(viewerId: string | null, userIds: readonly string[]): Promise<ReadonlyMap<string, RelationRow>> {
    return this.kept.readMany(userIds, viewerId === null ? this.ofVisitor : this.readingOf(viewerId));
  }

  private readingOf(viewerId: string | null): ReadOfMany<RelationRow> {
    return {
      nameOf: (id) => `relation ${viewerId} ${id}`,
      rowsOf: (id) => (viewerId === null ? [countsRow(id)] : [countsRow(id), pairRow(viewerId, id)]),
      load: async (ids) => {
        const rows = await this.statements.rows(AMONG, [viewerId, ids]);
        return new Map(rows.map((row) => [row.id, row]));
      },
    };
  }
}
