import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The graph, reviews, reports and moderators' decisions, and the projections of users and subscriptions. */
export class CreateSocial1764000000000 implements MigrationInterface {
  readonly name = 'CreateSocial1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.createProjections(runner);
    await this.createGraph(runner);
    await this.createReviews(runner);
    await this.createModeration(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE post_hidings, user_suspensions, reports, reviews, blocks, follows,
        known_subscriptions, known_users`);
  }

  private async createProjections(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE known_users (
        id uuid PRIMARY KEY,
        status text NOT NULL CHECK (status IN ('active', 'suspended', 'deleted')),
        name text NOT NULL,
        username text NOT NULL,
        profile_image_id text NOT NULL,
        is_coach boolean NOT NULL,
        version bigint NOT NULL
      )`);
    // Few rows: counts exclude these users by this index instead of a join with all users.
    await runner.query("CREATE INDEX known_users_gone_idx ON known_users (id) WHERE status <> 'active'");
    await runner.query(`
      CREATE TABLE known_subscriptions (
        user_id uuid NOT NULL,
        coach_id uuid NOT NULL,
        ever_active boolean NOT NULL,
        version bigint NOT NULL,
        PRIMARY KEY (user_id, coach_id)
      )`);
  }

  private async createGraph(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE follows (
        follower_id uuid NOT NULL,
        target_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        deleted_at timestamptz(3),
        version bigint NOT NULL,
        PRIMARY KEY (follower_id, target_id),
        CHECK (follower_id <> target_id)
      )`);
    await runner.query(`
      CREATE INDEX follows_followers_idx ON follows (target_id, created_at DESC, follower_id DESC)
        WHERE deleted_at IS NULL`);
    await runner.query(`
      CREATE INDEX follows_following_idx ON follows (follower_id, created_at DESC, target_id DESC)
        WHERE deleted_at IS NULL`);
    await runner.query(`
      CREATE TABLE blocks (
        blocker_id uuid NOT NULL,
        blocked_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        deleted_at timestamptz(3),
        version bigint NOT NULL,
        PRIMARY KEY (blocker_id, blocked_id),
        CHECK (blocker_id <> blocked_id)
      )`);
    await runner.query(`
      CREATE INDEX blocks_list_idx ON blocks (blocker_id, created_at DESC, blocked_id DESC)
        WHERE deleted_at IS NULL`);
  }

  private async createReviews(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE reviews (
        id uuid NOT NULL CONSTRAINT reviews_id_key UNIQUE,
        coach_id uuid NOT NULL,
        reviewer_id uuid NOT NULL,
        rating smallint NOT NULL,
        comment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        deleted_at timestamptz(3),
        version bigint NOT NULL,
        PRIMARY KEY (coach_id, reviewer_id),
        CHECK (coach_id <> reviewer_id),
        CHECK (CASE WHEN deleted_at IS NULL THEN rating BETWEEN 1 AND 5 AND comment <> ''
                    ELSE rating = 0 AND comment = '' END)
      )`);
    await runner.query(`
      CREATE INDEX reviews_list_idx ON reviews (coach_id, created_at DESC, id DESC) INCLUDE (reviewer_id, rating)
        WHERE deleted_at IS NULL`);
  }

  private async createModeration(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE reports (
        id uuid PRIMARY KEY,
        reporter_id uuid NOT NULL,
        subject_type text NOT NULL CHECK (subject_type IN ('user', 'post', 'comment', 'message')),
        subject_id uuid NOT NULL,
        reason text NOT NULL CHECK (reason IN ('spam', 'harassment', 'nudity', 'danger', 'other')),
        note text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        resolved_at timestamptz(3),
        resolution text CHECK (resolution IN ('dismissed', 'post-hidden', 'user-suspended')),
        resolved_by text,
        CHECK ((resolved_at IS NULL) = (resolution IS NULL) AND (resolved_at IS NULL) = (resolved_by IS NULL))
      )`);
    // One open report per reporter and subject, so that a reporter cannot fill the queue with one complaint.
    await runner.query(`
      CREATE UNIQUE INDEX reports_open_key ON reports (subject_type, subject_id, reporter_id)
        WHERE resolved_at IS NULL`);
    await runner.query('CREATE INDEX reports_queue_idx ON reports (id) WHERE resolved_at IS NULL');
    for (const [table, subject] of [
      ['post_hidings', 'post_id'],
      ['user_suspensions', 'user_id'],
    ]) {
      await runner.query(`
        CREATE TABLE ${table} (
          ${subject} uuid PRIMARY KEY,
          active boolean NOT NULL,
          decided_by text NOT NULL,
          decided_at timestamptz(3) NOT NULL,
          version bigint NOT NULL
        )`);
    }
  }
}
