import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of `Rebuilds`. */
export class CreateProjectionRebuilds1764200000000 implements MigrationInterface {
  readonly name = 'CreateProjectionRebuilds1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE projection_rebuilds (
        projection text NOT NULL,
        run uuid NOT NULL,
        opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ended integer[] NOT NULL DEFAULT '{}',
        PRIMARY KEY (projection, run)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE projection_rebuilds');
  }
}

/**
 * For a service's migration: adds the columns that `ProjectionTable` needs in addition to the key, the state's columns
 * and `version bigint NOT NULL`. Existing rows count as written before every republication; rows that replicas of the
 * version before insert during a rolling upgrade, without `changed_at`, count as written when they are inserted.
 */
export async function addRebuildColumns(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    ALTER TABLE ${table} ADD confirmed_by uuid, ADD changed_at timestamptz NOT NULL DEFAULT '-infinity'`);
  await runner.query(`ALTER TABLE ${table} ALTER changed_at SET DEFAULT clock_timestamp()`);
}

/** Reverts `addRebuildColumns`. */
export async function dropRebuildColumns(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`ALTER TABLE ${table} DROP confirmed_by, DROP changed_at`);
}
