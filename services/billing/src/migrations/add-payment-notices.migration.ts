import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What payers are told of their payments (MAIL-12). */
export class AddPaymentNotices1766310000000 implements MigrationInterface {
  readonly name = 'AddPaymentNotices1766310000000';

  async up(runner: QueryRunner): Promise<void> {
    // Rows are inserted and never changed; one that was told stays, so that its cause is not told again.
    await runner.query(`
      CREATE TABLE payment_notices (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        coach_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('failed', 'renewed', 'refunded', 'second-refunded')),
        provider_subscription_id text NOT NULL,
        cause text NOT NULL,
        at timestamptz(3) NOT NULL,
        amount_minor integer NOT NULL CHECK (amount_minor > 0),
        currency text NOT NULL CHECK (currency IN ('MXN', 'USD')),
        until timestamptz(3),
        version bigint NOT NULL,
        CONSTRAINT payment_notices_cause_key UNIQUE (provider_subscription_id, kind, cause)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_notices');
  }
}
