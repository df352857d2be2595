import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of `ForeignCalls`. */
export class CreateForeignCalls1764200000002 implements MigrationInterface {
  readonly name = 'CreateForeignCalls1764200000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE foreign_calls (
        kind text NOT NULL,
        key text NOT NULL,
        request jsonb NOT NULL,
        state text NOT NULL CHECK (state IN ('pending', 'done', 'failed', 'abandoned')),
        outcome jsonb,
        attempts integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL,
        leased_until timestamptz(3) NOT NULL,
        PRIMARY KEY (kind, key)
      )`);
    await runner.query(
      "CREATE INDEX foreign_calls_due_idx ON foreign_calls (leased_until) WHERE state = 'pending'",
    );
    await runner.query('CREATE INDEX foreign_calls_created_at_idx ON foreign_calls (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE foreign_calls');
  }
}
