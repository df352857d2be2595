import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Disputed payments, and the events that are about them. */
export class AddDisputes1766400000000 implements MigrationInterface {
  readonly name = 'AddDisputes1766400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE disputes (
        id text PRIMARY KEY,
        provider_subscription_id text NOT NULL,
        payment_id text NOT NULL,
        user_id uuid NOT NULL,
        coach_id uuid NOT NULL,
        amount_minor integer NOT NULL CHECK (amount_minor > 0),
        currency text NOT NULL CHECK (currency IN ('MXN', 'USD')),
        state text NOT NULL CHECK (state IN ('open', 'lost', 'won')),
        -- What has become of the coach's part of the payment.
        share text NOT NULL CHECK (
          share IN ('untouched', 'taking', 'taken', 'take-refused', 'giving', 'given', 'give-refused')),
        -- What was taken back; null until that is known.
        share_minor integer CHECK (share_minor >= 0),
        -- When the last call about the share was ordered.
        ordered_at timestamptz(3),
        seen_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX disputes_seen_at_idx ON disputes (seen_at)');
    await runner.query('ALTER TABLE provider_events ADD COLUMN dispute_id text');
    // A coach's pages are closed together.
    await runner.query(`
      CREATE INDEX checkouts_open_coach_idx ON checkouts (coach_id) WHERE state IN ('opening', 'open')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX checkouts_open_coach_idx');
    await runner.query('ALTER TABLE provider_events DROP COLUMN dispute_id');
    await runner.query('DROP TABLE disputes');
  }
}
