import { createIndexOnline, inBatches } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Combining characters that folding removes: accents of Latin, Greek and Cyrillic letters, points of Hebrew and
 * Arabic letters, the voicing marks of kana. Vowel signs of Indic and Thai scripts act as letters and are kept.
 */
export const MARKS =
  '\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a' +
  '\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\u3099\\u309a\\ufe20-\\ufe2f';

/** Which users are in the directory; partial indexes serve only queries with the same condition. */
const LISTED = "is_coach AND status = 'active'";

/**
 * The coach directory: folded texts with their indexes, the specialties in use, and the projections of other
 * services' events about users. Triggers derive the folded texts, so that no write can forget them and existing rows get
 * them here.
 *
 * Users sign up, log in and change their profiles meanwhile. Generated columns, which databases of an earlier form of
 * this migration have (see `FoldByTrigger`), would rewrite the table under a lock that keeps everybody out.
 */
export class CreateDirectory1764100000000 implements MigrationInterface {
  readonly name = 'CreateDirectory1764100000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const lowerCase = await lowerCaseCollation(runner);
    await this.createFolding(runner, lowerCase);
    await this.createKeys(runner);
    await this.createSearch(runner);
    await this.createSpecialties(runner, lowerCase);
    await this.createProjections(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE known_suspensions, known_blocks');
    await runner.query("UPDATE sessions SET end_reason = 'revoked' WHERE end_reason = 'suspended'");
    await this.allowEndReasons(runner, ['logout', 'revoked', 'reuse']);
    await runner.query('DROP TRIGGER users_directory_added ON users');
    await runner.query('DROP TRIGGER users_directory_changed ON users');
    await runner.query('DROP TRIGGER users_specialties_added ON users');
    await runner.query('DROP TRIGGER users_specialties_changed ON users');
    await runner.query('DROP TABLE user_specialties');
    await runner.query('DROP INDEX users_directory_specialties_idx');
    await runner.query('ALTER TABLE users DROP folded_name, DROP folded_about');
    await runner.query(
      'DROP FUNCTION keep_user_specialties, fold_directory_texts, directory_query_keys, directory_keys, directory_about, fold_text',
    );
  }

  /** Without case or accents: compatibility decomposition, no marks, lower case, one sigma. */
  private async createFolding(runner: QueryRunner, lowerCase: string): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION fold_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN replace(
        lower(regexp_replace(normalize(value, NFKD), '[${MARKS}]+', '', 'g') COLLATE "${lowerCase}"),
        U&'\\03C2', U&'\\03C3'
      ) COLLATE "C"`);
    // array_to_string is only "stable" because of element types other than text.
    await runner.query(`
      CREATE OR REPLACE FUNCTION directory_about(bio text, specialties text[]) RETURNS text
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN fold_text(bio || E'\\n' || array_to_string(specialties, E'\\n'))`);
  }

  /**
   * The search keys of a text: its substrings of 1 to 4 characters, and those of 7 around each space, because two
   * common words rarely occur side by side. pg_trgm handles only ASCII: in the C locale it sees no other letters.
   * With substrings of 3 alone, 'Rossi' would match every text about cross training sessions.
   */
  private async createKeys(runner: QueryRunner): Promise<void> {
    // The cost makes the planner use the index instead of computing the keys row by row.
    await runner.query(`
      CREATE OR REPLACE FUNCTION directory_keys(folded text) RETURNS text[]
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
      DECLARE
        chars text[] := string_to_array(folded, NULL);
      BEGIN
        RETURN (
          SELECT array_agg(a) || array_agg(a || b) || array_agg(a || b || c) || array_agg(a || b || c || d)
            || coalesce(array_agg(a || b || c || d || e || f || g) FILTER (WHERE d = ' '), '{}')
          FROM unnest(chars, chars[2:], chars[3:], chars[4:], chars[5:], chars[6:], chars[7:])
            AS part (a, b, c, d, e, f, g)
        );
      END $$`);
    // The keys that a text must have to contain the folded query; none for an empty query. Of a long query every
    // third substring and the last one, which together cover it: the index reads the postings of each key, and
    // frequent keys have many.
    await runner.query(`
      CREATE OR REPLACE FUNCTION directory_query_keys(folded text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN CASE
        WHEN folded = '' THEN '{}'
        WHEN length(folded) < 4 THEN ARRAY[folded]
        ELSE ARRAY(SELECT DISTINCT substr(folded, at, 4) FROM generate_series(1, length(folded) - 3) AS at
                   WHERE length(folded) <= 9 OR at % 3 = 1 OR at = length(folded) - 3)
          || ARRAY(SELECT DISTINCT substr(folded, at - 3, 7) FROM generate_series(4, length(folded) - 3) AS at
                   WHERE substr(folded, at, 1) = ' ')
      END`);
  }

  private async createSearch(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD IF NOT EXISTS folded_name text COLLATE "C", ADD IF NOT EXISTS folded_about text COLLATE "C"`);
    await foldByTrigger(runner);
    await inBatches(
      runner,
      'users',
      `UPDATE users SET folded_name = fold_text(batch.name),
         folded_about = directory_about(batch.bio, batch.specialties)
       FROM batch WHERE users.id = batch.id AND batch.is_coach AND batch.folded_name IS NULL`,
    );
    await createIndexOnline(runner, 'users_directory_idx', `users (folded_name, id) WHERE ${LISTED}`);
    for (const [name, keys] of [
      ['users_directory_name_idx', 'directory_keys(folded_name)'],
      ['users_directory_about_idx', 'directory_keys(folded_about)'],
      ['users_directory_specialties_idx', 'specialties'],
    ] as const) {
      // A short pending list, because every search reads all of it. None during the build, which fills it quicker than
      // it is emptied: one user's change of their profile would have to empty it (26 s, measured).
      const options = 'WITH (gin_pending_list_limit = 256, fastupdate = off)';
      await createIndexOnline(runner, name, `users USING gin (${keys}) ${options} WHERE ${LISTED}`);
      await runner.query(`ALTER INDEX ${name} RESET (fastupdate)`);
    }
    // Statistics would cost ANALYZE a second for each thousand rows and only confirm that the index should be used.
    for (const part of ['name', 'about']) {
      await runner.query(`ALTER INDEX users_directory_${part}_idx ALTER COLUMN 1 SET STATISTICS 0`);
    }
  }

  /** One row for each specialty of an active user, so that the distinct ones can be read from an index. */
  private async createSpecialties(runner: QueryRunner, lowerCase: string): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS user_specialties (
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        specialty text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL
          GENERATED ALWAYS AS (lower(normalize(specialty, NFC) COLLATE "${lowerCase}") COLLATE "C") STORED,
        PRIMARY KEY (user_id, specialty)
      )`);
    await runner.query(
      'CREATE INDEX IF NOT EXISTS user_specialties_key_idx ON user_specialties (key, specialty)',
    );
    await runner.query(`
      CREATE OR REPLACE FUNCTION keep_user_specialties() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM user_specialties WHERE user_id = NEW.id;
        INSERT INTO user_specialties (user_id, specialty)
        SELECT DISTINCT NEW.id, specialty FROM unnest(NEW.specialties) AS specialty WHERE NEW.status = 'active';
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER users_specialties_added AFTER INSERT ON users
        FOR EACH ROW WHEN (NEW.specialties <> '{}') EXECUTE FUNCTION keep_user_specialties()`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER users_specialties_changed AFTER UPDATE ON users
        FOR EACH ROW WHEN (OLD.specialties <> NEW.specialties OR OLD.status <> NEW.status)
        EXECUTE FUNCTION keep_user_specialties()`);
    await inBatches(
      runner,
      'users',
      `INSERT INTO user_specialties (user_id, specialty)
       SELECT DISTINCT id, specialty FROM batch, unnest(specialties) AS specialty WHERE status = 'active'
       ON CONFLICT DO NOTHING`,
    );
  }

  private async createProjections(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS known_blocks (
        blocker_id uuid NOT NULL,
        blocked_id uuid NOT NULL,
        active boolean NOT NULL,
        version bigint NOT NULL,
        PRIMARY KEY (blocker_id, blocked_id)
      )`);
    await runner.query(
      'CREATE INDEX IF NOT EXISTS known_blocks_blocked_idx ON known_blocks (blocked_id) WHERE active',
    );
    await runner.query(`
      CREATE TABLE IF NOT EXISTS known_suspensions (
        user_id uuid PRIMARY KEY,
        suspended boolean NOT NULL,
        version bigint NOT NULL
      )`);
    await this.allowEndReasons(runner, ['logout', 'revoked', 'reuse', 'suspended']);
  }

  private async allowEndReasons(runner: QueryRunner, reasons: string[]): Promise<void> {
    const list = reasons.map((reason) => `'${reason}'`).join(', ');
    await runner.query(`
      ALTER TABLE sessions DROP CONSTRAINT IF EXISTS sessions_end_reason_check,
        ADD CONSTRAINT sessions_end_reason_check CHECK (end_reason IN (${list})) NOT VALID`);
    await runner.query('ALTER TABLE sessions VALIDATE CONSTRAINT sessions_end_reason_check');
  }
}

/** Keeps the folded texts of coaches; others have none. Needs the functions and columns of the directory. */
export async function foldByTrigger(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE FUNCTION fold_directory_texts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.folded_name := CASE WHEN NEW.is_coach THEN fold_text(NEW.name) END;
      NEW.folded_about := CASE WHEN NEW.is_coach THEN directory_about(NEW.bio, NEW.specialties) END;
      RETURN NEW;
    END $$`);
  await runner.query(`
    CREATE OR REPLACE TRIGGER users_directory_added BEFORE INSERT ON users
      FOR EACH ROW WHEN (NEW.is_coach) EXECUTE FUNCTION fold_directory_texts()`);
  await runner.query(`
    CREATE OR REPLACE TRIGGER users_directory_changed BEFORE UPDATE ON users
      FOR EACH ROW WHEN (OLD.is_coach <> NEW.is_coach OR NEW.is_coach AND (
        OLD.name <> NEW.name OR OLD.bio <> NEW.bio OR OLD.specialties <> NEW.specialties))
      EXECUTE FUNCTION fold_directory_texts()`);
}

/** A collation that lower-cases all Unicode letters: PostgreSQL's own from version 17 on, ICU's before. */
export async function lowerCaseCollation(runner: QueryRunner): Promise<string> {
  const rows = (await runner.query(
    "SELECT collname FROM pg_collation WHERE collname IN ('pg_c_utf8', 'und-x-icu') ORDER BY collname LIMIT 1",
  )) as { collname: string }[];
  if (!rows[0]) throw new Error('This PostgreSQL has neither pg_c_utf8 nor ICU collations');
  return rows[0].collname;
}
