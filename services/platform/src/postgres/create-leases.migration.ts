import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of `PostgresLease`: work that one replica at a time does. */
export class CreateLeases1765100000000 implements MigrationInterface {
  readonly name = 'CreateLeases1765100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE leases (
        name text PRIMARY KEY,
        holder uuid NOT NULL,
        until timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE leases');
  }
}
