import { createIndexOnline } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FORMER_END_REASONS = ['logout', 'revoked', 'reuse', 'suspended', 'password'];

/** Accounts that are erased, and which services have acknowledged it. */
export class AddErasures1766600000001 implements MigrationInterface {
  readonly name = 'AddErasures1766600000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS erasures (
        user_id uuid PRIMARY KEY,
        requested_at timestamptz(3) NOT NULL,
        completed_at timestamptz(3),
        marked_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        version bigint NOT NULL
      )`);
    await runner.query(
      'CREATE INDEX IF NOT EXISTS erasures_open_idx ON erasures (requested_at) WHERE completed_at IS NULL',
    );
    await runner.query('CREATE INDEX IF NOT EXISTS erasures_marked_at_idx ON erasures (marked_at)');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS erasure_acknowledgements (
        user_id uuid NOT NULL,
        service text NOT NULL,
        version bigint NOT NULL,
        erased_at timestamptz(3),
        PRIMARY KEY (user_id, service)
      )`);
    // The index that is there has live sessions alone. Exports read by the id.
    await createIndexOnline(runner, 'sessions_of_user_idx', 'sessions (user_id, id)');
    await createIndexOnline(
      runner,
      'usernames_given_up_at_idx',
      'usernames (given_up_at) WHERE given_up_at IS NOT NULL',
    );
    await this.allowEndReasons(runner, [...FORMER_END_REASONS, 'erased']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE sessions SET end_reason = 'revoked' WHERE end_reason = 'erased'");
    await this.allowEndReasons(runner, FORMER_END_REASONS);
    await runner.query('DROP INDEX usernames_given_up_at_idx, sessions_of_user_idx');
    await runner.query('DROP TABLE erasure_acknowledgements, erasures');
  }

  private async allowEndReasons(runner: QueryRunner, reasons: string[]): Promise<void> {
    const list = reasons.map((reason) => `'${reason}'`).join(', ');
    await runner.query(`
      ALTER TABLE sessions DROP CONSTRAINT IF EXISTS sessions_end_reason_check,
        ADD CONSTRAINT sessions_end_reason_check CHECK (end_reason IN (${list})) NOT VALID`);
    await runner.query('ALTER TABLE sessions VALIDATE CONSTRAINT sessions_end_reason_check');
  }
}
