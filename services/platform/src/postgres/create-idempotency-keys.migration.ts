import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of `IdempotentWrites`. `IF NOT EXISTS`, because an earlier migration of a service may have created it. */
export class CreateIdempotencyKeys1764000000001 implements MigrationInterface {
  readonly name = 'CreateIdempotencyKeys1764000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS idempotency_keys (
        id text PRIMARY KEY,
        body_hash text NOT NULL,
        answer bytea NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(
      'CREATE INDEX IF NOT EXISTS idempotency_keys_created_at_idx ON idempotency_keys (created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
