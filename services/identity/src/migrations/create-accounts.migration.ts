import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users, the names they hold, their sessions and refresh tokens. */
export class CreateAccounts1763600000000 implements MigrationInterface {
  readonly name = 'CreateAccounts1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid PRIMARY KEY,
        email text NOT NULL CONSTRAINT users_email_key UNIQUE CHECK (email = lower(email)),
        pending_email text,
        email_verified boolean NOT NULL DEFAULT false,
        password_hash text,
        name text NOT NULL,
        username text NOT NULL,
        bio text NOT NULL DEFAULT '',
        specialties text[] NOT NULL DEFAULT '{}',
        is_coach boolean NOT NULL DEFAULT false,
        subscription_price_minor integer CHECK (subscription_price_minor BETWEEN 0 AND 10000000),
        subscription_currency text CHECK (subscription_currency IN ('MXN', 'USD')),
        profile_image_id uuid,
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'deleted')),
        version bigint NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    // Current and former usernames share one unique key, so that concurrent claims of a name conflict.
    await runner.query(`
      CREATE TABLE usernames (
        username text PRIMARY KEY CHECK (username = lower(username)),
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        given_up_at timestamptz(3)
      )`);
    await runner.query('CREATE INDEX usernames_user_id_idx ON usernames (user_id)');
    await runner.query(`
      CREATE TABLE sessions (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        user_agent text NOT NULL DEFAULT '',
        address text NOT NULL DEFAULT '',
        generation integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        end_reason text CHECK (end_reason IN ('logout', 'revoked', 'reuse')),
        CHECK ((ended_at IS NULL) = (end_reason IS NULL))
      )`);
    await runner.query(
      'CREATE INDEX sessions_user_id_idx ON sessions (user_id, last_used_at DESC) WHERE ended_at IS NULL',
    );
    await runner.query(
      'CREATE INDEX sessions_ended_at_idx ON sessions (ended_at) WHERE ended_at IS NOT NULL',
    );
    await runner.query('CREATE INDEX sessions_expires_at_idx ON sessions (expires_at)');
    await runner.query(`
      CREATE TABLE refresh_tokens (
        hash bytea PRIMARY KEY,
        session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        generation integer NOT NULL,
        issued_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        superseded_at timestamptz(3)
      )`);
    await runner.query(
      'CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id, generation)',
    );
    await runner.query('CREATE INDEX refresh_tokens_expires_at_idx ON refresh_tokens (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE refresh_tokens, sessions, usernames, users');
  }
}
