import type { MigrationInterface, QueryRunner } from 'typeorm';

const FORMER_END_REASONS = ['logout', 'revoked', 'reuse', 'suspended'];

/** Tokens of mailed links, mails about the account, requests for a new password, and the devices that have signed in. */
export class AddAccountMails1765200000000 implements MigrationInterface {
  readonly name = 'AddAccountMails1765200000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // False for accounts of the version before, also for those that it creates during the rollout: their contact welcomes them.
    await runner.query(
      'ALTER TABLE users ADD COLUMN IF NOT EXISTS welcomed_by_notice boolean NOT NULL DEFAULT false',
    );
    // A user has one live token of each kind.
    await runner.query(`
      CREATE TABLE IF NOT EXISTS action_tokens (
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('verify-email', 'reset-password')),
        hash bytea NOT NULL UNIQUE,
        email text NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        PRIMARY KEY (user_id, kind)
      )`);
    await this.index(runner, 'action_tokens_expires_at_idx', 'action_tokens (expires_at)');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS account_notices (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        kind text NOT NULL,
        sealed text NOT NULL,
        to_hash bytea,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        version bigint NOT NULL
      )`);
    await this.index(runner, 'account_notices_user_id_idx', 'account_notices (user_id, kind, created_at)');
    await this.index(
      runner,
      'account_notices_to_hash_idx',
      'account_notices (to_hash, created_at) WHERE to_hash IS NOT NULL',
    );
    await this.index(runner, 'account_notices_expires_at_idx', 'account_notices (expires_at)');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS password_resets (
        id uuid PRIMARY KEY,
        email text NOT NULL,
        asked_at timestamptz(3) NOT NULL,
        handled_at timestamptz(3),
        counted boolean NOT NULL DEFAULT false
      )`);
    await this.index(
      runner,
      'password_resets_waiting_idx',
      'password_resets (asked_at) WHERE handled_at IS NULL',
    );
    await this.index(runner, 'password_resets_email_idx', 'password_resets (email)');
    await this.index(runner, 'password_resets_asked_at_idx', 'password_resets (asked_at)');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS sign_in_devices (
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        device bytea NOT NULL,
        seen_at timestamptz(3) NOT NULL,
        PRIMARY KEY (user_id, device)
      )`);
    await this.index(runner, 'sign_in_devices_seen_at_idx', 'sign_in_devices (seen_at)');
    await this.allowEndReasons(runner, [...FORMER_END_REASONS, 'password']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE sessions SET end_reason = 'revoked' WHERE end_reason = 'password'");
    await this.allowEndReasons(runner, FORMER_END_REASONS);
    await runner.query(
      'DROP TABLE IF EXISTS sign_in_devices, password_resets, account_notices, action_tokens',
    );
    await runner.query('ALTER TABLE users DROP COLUMN IF EXISTS welcomed_by_notice');
  }

  /** The tables are new: nobody waits for their indexes. */
  private async index(runner: QueryRunner, name: string, definition: string): Promise<void> {
    await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ${definition}`);
  }

  private async allowEndReasons(runner: QueryRunner, reasons: string[]): Promise<void> {
    const list = reasons.map((reason) => `'${reason}'`).join(', ');
    await runner.query(`
      ALTER TABLE sessions DROP CONSTRAINT IF EXISTS sessions_end_reason_check,
        ADD CONSTRAINT sessions_end_reason_check CHECK (end_reason IN (${list})) NOT VALID`);
    await runner.query('ALTER TABLE sessions VALIDATE CONSTRAINT sessions_end_reason_check');
  }
}
