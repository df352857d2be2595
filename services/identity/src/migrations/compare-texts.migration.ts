import { createIndexOnline, inBatches } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lowerCaseCollation, MARKS } from './create-directory.migration.js';

/** Characters that nobody sees (Default_Ignorable_Code_Point), in the syntax of PostgreSQL's regular expressions. */
const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164' +
  '\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff';
const WHITE_SPACE = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
/** What lower case keeps apart although it has one upper case. */
const FOLDED_FURTHER = { ß: 'ss', ς: 'σ', ı: 'i', 'i\u0307': 'i' };
/** Letters that are related to a–z, and how they are written in these; lower-case. */
const DOUBLE = { æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th', ŋ: 'ng' };
const SINGLE = { from: 'đðħıłøŧς', to: 'ddhilotσ' };

const LOWER_CASE_KEY = (collation: string) =>
  `lower(normalize(specialty, NFC) COLLATE "${collation}") COLLATE "C"`;

/**
 * Texts that people take for the same are the same to the directory: specialties by their comparison key (PEOPLE-11), searches by
 * more forms of letters (PEOPLE-14). Both functions compute what the platform's comparison-key.ts computes.
 *
 * Coaches whose list repeats a specialty lose the repetition, and texts whose search key changes are folded again. A text that
 * is not folded again yet is found by most searches: users search meanwhile.
 */
export class CompareTexts1765000000000 implements MigrationInterface {
  readonly name = 'CompareTexts1765000000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const lowerCase = await lowerCaseCollation(runner);
    await this.createKeys(runner, lowerCase);
    await this.keepKeys(runner);
    await inBatches(
      runner,
      'users',
      `UPDATE users SET specialties = distinct_specialties(batch.specialties) FROM batch
       WHERE users.id = batch.id AND batch.specialties <> distinct_specialties(batch.specialties)`,
    );
    await inBatches(
      runner,
      'users',
      `UPDATE user_specialties SET key = comparison_key(specialty) FROM batch
       WHERE user_id = batch.id AND key <> comparison_key(specialty)`,
    );
    await inBatches(
      runner,
      'users',
      `UPDATE users SET folded_name = fold_text(batch.name),
         folded_about = CASE WHEN batch.is_coach THEN directory_about(batch.bio, batch.specialties) END
       FROM batch WHERE users.id = batch.id AND (batch.folded_name <> fold_text(batch.name)
         OR batch.is_coach AND batch.folded_about <> directory_about(batch.bio, batch.specialties))`,
    );
    await createIndexOnline(runner, 'user_specialties_coaches_idx', 'user_specialties (key, user_id)');
  }

  /** Leaves the folded texts: the version before works with them. */
  async down(runner: QueryRunner): Promise<void> {
    const lowerCase = await lowerCaseCollation(runner);
    await runner.query('DROP INDEX user_specialties_coaches_idx');
    await runner.query(`
      ALTER TABLE user_specialties DROP key,
        ADD key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (${LOWER_CASE_KEY(lowerCase)}) STORED`);
    await runner.query('CREATE INDEX user_specialties_key_idx ON user_specialties (key, specialty)');
    await keepUserSpecialties(runner, '');
    await runner.query('DROP FUNCTION distinct_specialties, comparison_key');
  }

  private async createKeys(runner: QueryRunner, lowerCase: string): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION comparison_key(value text) RETURNS text
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN btrim(regexp_replace(normalize(${replaced(
        FOLDED_FURTHER,
        `lower(regexp_replace(normalize(value, NFKC), '[${INVISIBLE}]+', '', 'g') COLLATE "${lowerCase}")`,
      )}, NFKC), '[${WHITE_SPACE}]+', ' ', 'g')) COLLATE "C"`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION fold_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN regexp_replace(translate(${replaced(
        DOUBLE,
        `lower(regexp_replace(normalize(value, NFKD), '[${MARKS}${INVISIBLE}]+', '', 'g') COLLATE "${lowerCase}")`,
      )}, '${SINGLE.from}', '${SINGLE.to}'), '[\\t ]+', ' ', 'g') COLLATE "C"`);
    // As they are stored, the first of each; the order stays.
    await runner.query(`
      CREATE OR REPLACE FUNCTION distinct_specialties(given text[]) RETURNS text[]
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN ARRAY(
        SELECT specialty FROM (
          SELECT DISTINCT ON (comparison_key(one)) at,
            btrim(regexp_replace(normalize(one, NFC), '[${WHITE_SPACE}]+', ' ', 'g')) AS specialty
          FROM unnest(given) WITH ORDINALITY AS each (one, at) ORDER BY comparison_key(one), at
        ) AS kept ORDER BY at)`);
  }

  /** In one transaction: no user may be saved while the trigger writes no key and the column makes none. */
  private async keepKeys(runner: QueryRunner): Promise<void> {
    await runner.startTransaction();
    try {
      // A write that waited inside the trigger would go on with the trigger's old text. So writes wait before it.
      await runner.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
      await runner.query('ALTER TABLE user_specialties ALTER key DROP EXPRESSION IF EXISTS');
      await keepUserSpecialties(runner, 'comparison_key(specialty)');
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  }
}

/** SQL: `text` with each of the letters replaced. */
const replaced = (letters: Readonly<Record<string, string>>, text: string): string =>
  Object.entries(letters).reduce((sql, [letter, by]) => `replace(${sql}, '${letter}', '${by}')`, text);

/** The rows of active coaches; SQL: `key` where the trigger writes it. */
async function keepUserSpecialties(runner: QueryRunner, key: string): Promise<void> {
  const [column, value] = key === '' ? ['', ''] : [', key', `, ${key}`];
  await runner.query(`
    CREATE OR REPLACE FUNCTION keep_user_specialties() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM user_specialties WHERE user_id = NEW.id;
      INSERT INTO user_specialties (user_id, specialty${column})
      SELECT DISTINCT NEW.id, specialty${value} FROM unnest(NEW.specialties) AS specialty
      WHERE NEW.status = 'active' AND NEW.is_coach;
      RETURN NULL;
    END $$`);
}
