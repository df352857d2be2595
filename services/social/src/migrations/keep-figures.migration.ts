import { createIndexOnline } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const BATCH = 1_000;

/**
 * Keeps each user's number of followers, sum of ratings and number of reviews (PEOPLE-41). Triggers store every change
 * of them in `figure_changes`, in the transaction of the row that causes it; `PublishFigures` adds the changes to
 * `user_figures`. A change is a row of its own because concurrent follows of one user would otherwise wait for each
 * other's commits.
 *
 * Not in a transaction, and every step can be repeated: follows and reviews are written while it runs, and each of its
 * locks on them lasts for one statement.
 */
export class KeepFigures1764400000000 implements MigrationInterface {
  readonly name = 'KeepFigures1764400000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.createTables(runner);
    await this.createTriggers(runner);
    await this.createRecount(runner);
    // The triggers work by now: what is written during the count is part of it, or is added to it.
    let last: string | null = '00000000-0000-0000-0000-000000000000';
    while (last !== null) last = await this.countNext(runner, last);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER follows_figures ON follows');
    await runner.query('DROP TRIGGER reviews_figures ON reviews');
    await runner.query('DROP TRIGGER known_users_figures ON known_users');
    await runner.query(
      'DROP FUNCTION follow_changes_figures, review_changes_figures, user_changes_figures, recount_figures',
    );
    await runner.query('DROP TABLE figure_changes, user_figures');
    await runner.query('DROP INDEX reviews_reviewer_idx');
  }

  private async createTables(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS user_figures (
        user_id uuid PRIMARY KEY,
        follower_count integer NOT NULL,
        rating_sum integer NOT NULL,
        review_count integer NOT NULL,
        version bigint NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS figure_changes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id uuid NOT NULL,
        follower_count integer NOT NULL DEFAULT 0,
        rating_sum integer NOT NULL DEFAULT 0,
        review_count integer NOT NULL DEFAULT 0
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS figure_changes_user_idx ON figure_changes (user_id)');
    await createIndexOnline(runner, 'reviews_reviewer_idx', 'reviews (reviewer_id) WHERE deleted_at IS NULL');
  }

  /**
   * The row of the follower or reviewer is locked, so that their suspension waits until the follow is committed and then
   * takes it into account, or the follow waits and sees the suspension. The followed user's row is not: many may be
   * following at once.
   */
  private async createTriggers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION follow_changes_figures() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        edge follows := coalesce(NEW, OLD);
        change integer := (TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL)::integer
          - (TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL)::integer;
        follower_status text;
      BEGIN
        IF change = 0 THEN RETURN NULL; END IF;
        SELECT status INTO follower_status FROM known_users WHERE id = edge.follower_id FOR SHARE;
        IF coalesce(follower_status, 'active') = 'active' THEN
          INSERT INTO figure_changes (user_id, follower_count) VALUES (edge.target_id, change);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION review_changes_figures() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        review reviews := coalesce(NEW, OLD);
        count_change integer := (TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL)::integer
          - (TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL)::integer;
        sum_change integer := CASE WHEN TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN NEW.rating ELSE 0 END
          - CASE WHEN TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN OLD.rating ELSE 0 END;
        reviewer_status text;
      BEGIN
        IF count_change = 0 AND sum_change = 0 THEN RETURN NULL; END IF;
        SELECT status INTO reviewer_status FROM known_users WHERE id = review.reviewer_id FOR SHARE;
        IF coalesce(reviewer_status, 'active') = 'active' THEN
          INSERT INTO figure_changes (user_id, rating_sum, review_count)
          VALUES (review.coach_id, sum_change, count_change);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION user_changes_figures() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        person known_users := coalesce(NEW, OLD);
        change integer := (TG_OP <> 'INSERT' AND OLD.status <> 'active')::integer
          - (TG_OP <> 'DELETE' AND NEW.status <> 'active')::integer;
      BEGIN
        IF change = 0 THEN RETURN NULL; END IF;
        INSERT INTO figure_changes (user_id, follower_count)
        SELECT target_id, change FROM follows WHERE follower_id = person.id AND deleted_at IS NULL;
        INSERT INTO figure_changes (user_id, rating_sum, review_count)
        SELECT coach_id, change * rating, change FROM reviews WHERE reviewer_id = person.id AND deleted_at IS NULL;
        RETURN NULL;
      END $$`);
    for (const [table, column, works] of [
      ['follows', 'deleted_at', 'follow_changes_figures'],
      ['reviews', 'deleted_at, rating', 'review_changes_figures'],
      ['known_users', 'status', 'user_changes_figures'],
    ]) {
      await runner.query(`
        CREATE OR REPLACE TRIGGER ${table}_figures AFTER INSERT OR UPDATE OF ${column} OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION ${works}()`);
    }
  }

  /**
   * Counts the rows of these users and stores what the kept figures lack, as changes. One statement and so one view of all
   * tables: correct beside any other write, without a lock. Two at the same time would correct twice. Returns how many
   * users were wrong.
   */
  private async createRecount(runner: QueryRunner): Promise<void> {
    const noneGone = (column: string) =>
      `NOT EXISTS (SELECT FROM known_users gone WHERE gone.id = ${column} AND gone.status <> 'active')`;
    await runner.query(`
      CREATE OR REPLACE FUNCTION recount_figures(ids uuid[]) RETURNS integer LANGUAGE sql AS $$
        WITH wrong AS (
          INSERT INTO figure_changes (user_id, follower_count, rating_sum, review_count)
          SELECT person.id, follows.count - kept.followers, reviews.sum - kept.ratings, reviews.count - kept.reviews
          FROM unnest(ids) AS person (id)
          CROSS JOIN LATERAL (
            SELECT count(*)::integer AS count FROM follows
            WHERE target_id = person.id AND deleted_at IS NULL AND ${noneGone('follower_id')}) AS follows
          CROSS JOIN LATERAL (
            SELECT count(*)::integer AS count, coalesce(sum(rating), 0)::integer AS sum FROM reviews
            WHERE coach_id = person.id AND deleted_at IS NULL AND ${noneGone('reviewer_id')}) AS reviews
          CROSS JOIN LATERAL (
            SELECT coalesce(sum(follower_count), 0)::integer AS followers,
              coalesce(sum(rating_sum), 0)::integer AS ratings, coalesce(sum(review_count), 0)::integer AS reviews
            FROM (
              SELECT follower_count, rating_sum, review_count FROM user_figures WHERE user_id = person.id
              UNION ALL
              SELECT follower_count, rating_sum, review_count FROM figure_changes WHERE user_id = person.id) AS part
          ) AS kept
          WHERE (follows.count, reviews.sum, reviews.count) <> (kept.followers, kept.ratings, kept.reviews)
          RETURNING 1
        )
        SELECT count(*)::integer FROM wrong
      $$`);
  }

  /** Counts the users that come after `last` by id; returns the last of them, null when there are no more. */
  private async countNext(runner: QueryRunner, last: string): Promise<string | null> {
    const users = (await runner.query(
      `SELECT id FROM (
         (SELECT DISTINCT target_id AS id FROM follows WHERE target_id > $1 AND deleted_at IS NULL
          ORDER BY target_id LIMIT ${BATCH})
         UNION
         (SELECT DISTINCT coach_id AS id FROM reviews WHERE coach_id > $1 AND deleted_at IS NULL
          ORDER BY coach_id LIMIT ${BATCH})
       ) AS counted ORDER BY id LIMIT ${BATCH}`,
      [last],
    )) as { id: string }[];
    if (users.length === 0) return null;
    await runner.query('SELECT recount_figures($1::uuid[])', [users.map(({ id }) => id)]);
    return users.at(-1)!.id;
  }
}
