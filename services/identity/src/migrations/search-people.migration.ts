import { createIndexOnline, inBatches } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foldByTrigger } from './create-directory.migration.js';

/** Whom a people search finds; partial indexes serve only queries with the same condition. */
const FOUND = "status = 'active'";

/** People search (PEOPLE-17): the names of members are folded as well, and names and usernames get indexes. */
export class SearchPeople1764500000000 implements MigrationInterface {
  readonly name = 'SearchPeople1764500000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.foldAllNames(runner);
    await inBatches(
      runner,
      'users',
      `UPDATE users SET folded_name = fold_text(batch.name) FROM batch
       WHERE users.id = batch.id AND batch.folded_name IS NULL`,
    );
    // With the other columns that a search reads, so that it does not need the table.
    await createIndexOnline(
      runner,
      'users_people_idx',
      `users (folded_name, id) INCLUDE (username) WHERE ${FOUND}`,
    );
    await createIndexOnline(
      runner,
      'users_people_username_idx',
      `users (username COLLATE "C") INCLUDE (folded_name, id) WHERE ${FOUND}`,
    );
    // The options and statistics of the directory's text indexes, for the same reasons; see `CreateDirectory`.
    const keys = String.raw`directory_keys(folded_name || E'\n' || username)`;
    const options = 'WITH (gin_pending_list_limit = 256, fastupdate = off)';
    await createIndexOnline(
      runner,
      'users_people_text_idx',
      `users USING gin (${keys}) ${options} WHERE ${FOUND}`,
    );
    await runner.query('ALTER INDEX users_people_text_idx RESET (fastupdate)');
    await runner.query('ALTER INDEX users_people_text_idx ALTER COLUMN 1 SET STATISTICS 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_people_text_idx, users_people_username_idx, users_people_idx');
    await foldByTrigger(runner);
    await runner.query('UPDATE users SET folded_name = NULL WHERE NOT is_coach');
  }

  private async foldAllNames(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION fold_directory_texts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.folded_name := fold_text(NEW.name);
        NEW.folded_about := CASE WHEN NEW.is_coach THEN directory_about(NEW.bio, NEW.specialties) END;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER users_directory_added BEFORE INSERT ON users
        FOR EACH ROW EXECUTE FUNCTION fold_directory_texts()`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER users_directory_changed BEFORE UPDATE ON users
        FOR EACH ROW WHEN (OLD.name <> NEW.name OR OLD.is_coach <> NEW.is_coach OR NEW.is_coach AND (
          OLD.bio <> NEW.bio OR OLD.specialties <> NEW.specialties))
        EXECUTE FUNCTION fold_directory_texts()`);
  }
}
