import { addRebuildColumns } from '@pulso/platform/postgres/create-rebuilds.migration';
import { inBatches } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The directory by merit (PEOPLE-15): the projection of users' figures, and of each listed coach the merit with the time
 * since which it holds. A merit that is replaced goes to `former_merits`, so that a list can go on in the order that it
 * began with.
 */
export class KeepMerits1764400000001 implements MigrationInterface {
  readonly name = 'KeepMerits1764400000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.createTables(runner);
    await this.createFunctions(runner);
    for (const [name, event, works] of [
      ['known_figures_merit', 'AFTER INSERT OR UPDATE OR DELETE ON known_figures', 'figures_change_merit'],
      ['users_merit', 'AFTER INSERT OR UPDATE OF is_coach, status ON users', 'user_changes_merit'],
      ['coach_merits_former', 'BEFORE UPDATE ON coach_merits', 'keep_former_merit'],
    ]) {
      await runner.query(
        `CREATE OR REPLACE TRIGGER ${name} ${event} FOR EACH ROW EXECUTE FUNCTION ${works}()`,
      );
    }
    await inBatches(
      runner,
      'users',
      `INSERT INTO coach_merits (user_id, merit, followers)
       SELECT id, 0, 0 FROM batch WHERE is_coach AND status = 'active' ON CONFLICT DO NOTHING`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER users_merit ON users');
    await runner.query('DROP TABLE former_merits, coach_merits, known_figures');
    await runner.query('DROP FUNCTION figures_change_merit, user_changes_merit, keep_former_merit');
  }

  private async createTables(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasTable('known_figures'))) {
      await runner.query(`
        CREATE TABLE known_figures (
          user_id uuid PRIMARY KEY,
          follower_count integer NOT NULL,
          rating_sum integer NOT NULL,
          review_count integer NOT NULL,
          version bigint NOT NULL
        )`);
      await addRebuildColumns(runner, 'known_figures');
    }
    // A table of its own: an update of a user's row would renew its entries in the indexes of the directory's texts.
    await runner.query(`
      CREATE TABLE IF NOT EXISTS coach_merits (
        user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        merit integer NOT NULL,
        followers integer NOT NULL,
        since timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query(`
      CREATE INDEX IF NOT EXISTS coach_merits_order_idx ON coach_merits ((-merit), (-followers), user_id)`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS former_merits (
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        merit integer NOT NULL,
        followers integer NOT NULL,
        since timestamptz NOT NULL,
        until timestamptz NOT NULL,
        PRIMARY KEY (user_id, until)
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS former_merits_until_idx ON former_merits (until)');
  }

  private async createFunctions(runner: QueryRunner): Promise<void> {
    // The user's row is locked: a coach who is being listed has a row of merits after that.
    await runner.query(`
      CREATE OR REPLACE FUNCTION figures_change_merit() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        id_of_user uuid := (coalesce(NEW, OLD)).user_id;
        new_merit integer := CASE WHEN TG_OP = 'DELETE' THEN 0 ELSE NEW.rating_sum END;
        new_followers integer := CASE WHEN TG_OP = 'DELETE' THEN 0 ELSE NEW.follower_count END;
      BEGIN
        PERFORM FROM users WHERE id = id_of_user FOR SHARE;
        UPDATE coach_merits SET merit = new_merit, followers = new_followers
        WHERE user_id = id_of_user AND (merit, followers) <> (new_merit, new_followers);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION user_changes_merit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.is_coach AND NEW.status = 'active' THEN
          INSERT INTO coach_merits (user_id, merit, followers)
          SELECT NEW.id, coalesce(max(rating_sum), 0), coalesce(max(follower_count), 0)
          FROM known_figures WHERE user_id = NEW.id
          ON CONFLICT DO NOTHING;
        ELSE
          DELETE FROM coach_merits WHERE user_id = NEW.id;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION keep_former_merit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.since := clock_timestamp();
        INSERT INTO former_merits (user_id, merit, followers, since, until)
        VALUES (OLD.user_id, OLD.merit, OLD.followers, OLD.since, NEW.since) ON CONFLICT DO NOTHING;
        RETURN NEW;
      END $$`);
  }
}
