import { Injectable } from '@nestjs/common';
import { userFiguresTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { NIL_ID } from '@pulso/platform/ids/uuid-v7';
import { type Figures, toUserFiguresState, UserFigures } from './user-figures.entity.js';

/**
 * SQL: one row with the figures of the user in `column`. The kept sums and the changes that are not in them yet are read
 * together, so a committed follow counts at once.
 */
export const figuresOf = (column: string) => `(
  SELECT coalesce(sum(follower_count), 0)::int AS "followerCount",
    coalesce(sum(rating_sum), 0)::int AS "ratingSum", coalesce(sum(review_count), 0)::int AS "reviewCount"
  FROM (
    SELECT follower_count, rating_sum, review_count FROM user_figures WHERE user_id = ${column}
    UNION ALL
    SELECT follower_count, rating_sum, review_count FROM figure_changes WHERE user_id = ${column}
  ) AS part)`;

/** The keys of the locks that let one process at a time add changes, and one recount. */
const ADDING_LOCK = "hashtextextended('social.figures.adding', 0)";
const RECOUNTING_LOCK = "hashtextextended('social.figures.recounting', 0)";

const OF = statement<Figures>('figures.of', `SELECT figures.* FROM ${figuresOf('$1::uuid')} AS figures`);

const HAVE_CHANGED = statement<{ changed: boolean }>(
  'figures.have-changed',
  'SELECT EXISTS (SELECT FROM figure_changes) AS changed',
);

const ADD_CHANGES = statement<Omit<UserFigures, 'version'> & { version: string; changes: number }>(
  'figures.add-changes',
  `WITH turn AS MATERIALIZED (
     SELECT pg_try_advisory_xact_lock(${ADDING_LOCK}) AS held
   ), added AS (
     DELETE FROM figure_changes WHERE id IN (SELECT id FROM figure_changes WHERE (SELECT held FROM turn) ORDER BY id LIMIT $1)
     RETURNING user_id, follower_count, rating_sum, review_count
   ), sums AS (
     SELECT user_id, sum(follower_count) AS follower_count, sum(rating_sum) AS rating_sum,
       sum(review_count) AS review_count, count(*)::int AS changes
     FROM added GROUP BY user_id
   ), written AS (
     INSERT INTO user_figures AS kept (user_id, follower_count, rating_sum, review_count, version)
     SELECT user_id, follower_count, rating_sum, review_count, $2::bigint FROM sums
     ON CONFLICT (user_id) DO UPDATE SET follower_count = kept.follower_count + excluded.follower_count,
       rating_sum = kept.rating_sum + excluded.rating_sum,
       review_count = kept.review_count + excluded.review_count,
       version = greatest(kept.version + 1, excluded.version)
     RETURNING *
   )
   SELECT user_id AS "userId", written.follower_count AS "followerCount", written.rating_sum AS "ratingSum",
     written.review_count AS "reviewCount", written.version, sums.changes
   FROM written JOIN sums USING (user_id)`,
);

@Injectable()
export class FiguresRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  /** A user's figures now; all zero for unknown users. */
  async of(userId: string): Promise<Figures> {
    const figures = await this.statements.row(OF, [userId]);
    return figures!;
  }

  /** Whether there are changes that are not added to the kept sums yet. */
  async haveChanged(): Promise<boolean> {
    const found = await this.statements.row(HAVE_CHANGED, []);
    return found!.changed;
  }

  /**
   * Adds up to `limit` changes to the kept sums, the oldest first, and publishes the sums of the users concerned. Returns
   * how many changes it added: none while another process does the same.
   */
  async addChanges(limit: number, transaction: Transaction): Promise<number> {
    const rows = await transaction.rows(ADD_CHANGES, [limit, nextVersion(undefined, this.clock)]);
    const states = rows.map(({ changes: _changes, version, ...figures }) =>
      toUserFiguresState({ ...figures, version: Number(version) }),
    );
    if (states.length > 0) await transaction.publishAll(userFiguresTopic, states);
    return rows.reduce((sum, { changes }) => sum + changes, 0);
  }

  /**
   * Counts the followers and reviews of the next `limit` users after `last`, by id, and corrects kept sums that differ.
   * Waits for other processes that do the same.
   */
  async recount(
    last: string | undefined,
    limit: number,
    { manager }: Transaction,
  ): Promise<{ last: string | undefined; users: number; corrected: number }> {
    await manager.query(`SELECT pg_advisory_xact_lock(${RECOUNTING_LOCK})`);
    // One user may have a million followers.
    await manager.query('SET LOCAL statement_timeout = 0');
    const users = await manager.query<{ id: string }[]>(
      `SELECT id FROM (
         (SELECT id FROM known_users WHERE id > $1 ORDER BY id LIMIT $2)
         UNION (SELECT user_id FROM user_figures WHERE user_id > $1 ORDER BY user_id LIMIT $2)
       ) AS person ORDER BY id LIMIT $2`,
      [last ?? NIL_ID, limit],
    );
    const ids = users.map(({ id }) => id);
    const [result] = await manager.query<{ corrected: number }[]>(
      'SELECT recount_figures($1::uuid[]) AS corrected',
      [ids],
    );
    return { last: ids.at(-1), users: ids.length, corrected: result!.corrected };
  }
}
