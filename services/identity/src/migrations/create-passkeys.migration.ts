import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys, the challenges that were answered, and when a passkey was last shown in a session (ACCT-43). */
export class CreatePasskeys1765300000000 implements MigrationInterface {
  readonly name = 'CreatePasskeys1765300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE passkeys (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        credential_id bytea NOT NULL UNIQUE,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL,
        backed_up boolean NOT NULL,
        email text NOT NULL,
        email_verified boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3)
      )`);
    await runner.query('CREATE INDEX passkeys_user_id_idx ON passkeys (user_id)');
    await runner.query(`
      CREATE TABLE answered_challenges (
        hash bytea PRIMARY KEY,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX answered_challenges_expires_at_idx ON answered_challenges (expires_at)');
    // Null in sessions of the version before, which writes none during the rollout.
    await runner.query('ALTER TABLE sessions ADD COLUMN passkey_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN passkey_at');
    await runner.query('DROP TABLE answered_challenges, passkeys');
  }
}
