import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What billing keeps of its payment provider: customers, prices, payout accounts, checkouts, endings, refunds and events. */
export class AddProvider1766200000000 implements MigrationInterface {
  readonly name = 'AddProvider1766200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE provider_customers (
        user_id uuid NOT NULL,
        currency text NOT NULL CHECK (currency IN ('MXN', 'USD')),
        customer_id text NOT NULL CONSTRAINT provider_customers_id_key UNIQUE,
        created_at timestamptz(3) NOT NULL,
        -- Reads of the provider are numbered as they begin; one that began before the last that was written is dropped.
        read_begun bigint NOT NULL DEFAULT 0,
        read_written bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (user_id, currency)
      )`);
    await runner.query(
      'ALTER TABLE prices ADD COLUMN provider_id text CONSTRAINT prices_provider_id_key UNIQUE',
    );
    await runner.query(`
      CREATE TABLE payout_accounts (
        coach_id uuid PRIMARY KEY,
        account_id text NOT NULL CONSTRAINT payout_accounts_id_key UNIQUE,
        is_ready boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        read_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE checkouts (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        coach_id uuid NOT NULL,
        amount_minor integer NOT NULL CHECK (amount_minor > 0),
        currency text NOT NULL CHECK (currency IN ('MXN', 'USD')),
        -- Both null until the provider has made it.
        checkout_id text CONSTRAINT checkouts_checkout_id_key UNIQUE,
        url text,
        state text NOT NULL CHECK (state IN ('opening', 'open', 'complete', 'expired', 'failed')),
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    // Two tabs and a double click pay on one page (SUBS-10).
    await runner.query(`
      CREATE UNIQUE INDEX checkouts_open_key ON checkouts (user_id, coach_id) WHERE state IN ('opening', 'open')`);
    await runner.query(`
      ALTER TABLE subscriptions
        ADD COLUMN provider_subscription_id text CONSTRAINT subscriptions_provider_key UNIQUE,
        ADD COLUMN unpaid_since timestamptz(3)`);
    // What must not live at the provider any more: it never gives access again, whatever is read of it.
    await runner.query(`
      CREATE TABLE provider_endings (
        provider_subscription_id text PRIMARY KEY,
        -- Null where billing does not know the customer.
        customer_id text,
        user_id uuid NOT NULL,
        coach_id uuid NOT NULL,
        reason text NOT NULL,
        refund text NOT NULL CHECK (refund IN ('none', 'unused', 'all')),
        ended_at timestamptz(3) NOT NULL,
        -- What was ordered to be paid back; null until it is known what was paid.
        refunded_minor integer CHECK (refunded_minor >= 0)
      )`);
    await runner.query('CREATE INDEX provider_endings_pair_idx ON provider_endings (user_id, coach_id)');
    await runner.query(`
      CREATE INDEX provider_endings_open_idx ON provider_endings (ended_at) WHERE refunded_minor IS NULL`);
    await runner.query(`
      CREATE TABLE refunds (
        id uuid PRIMARY KEY,
        provider_subscription_id text NOT NULL,
        payment_id text NOT NULL,
        amount_minor integer NOT NULL CHECK (amount_minor > 0),
        currency text NOT NULL CHECK (currency IN ('MXN', 'USD')),
        reason text NOT NULL,
        state text NOT NULL CHECK (state IN ('ordered', 'paid', 'refused')),
        refund_id text CONSTRAINT refunds_refund_id_key UNIQUE,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX refunds_payment_idx ON refunds (payment_id)');
    await runner.query("CREATE INDEX refunds_unpaid_idx ON refunds (created_at) WHERE state <> 'paid'");
    // The comparison of each night: one row, which is also the lease of the process that makes it.
    await runner.query(`
      CREATE TABLE reconciliations (
        night date PRIMARY KEY,
        leased_until timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        customers integer NOT NULL DEFAULT 0,
        differences integer NOT NULL DEFAULT 0
      )`);
    await runner.query(`
      CREATE TABLE provider_events (
        id text PRIMARY KEY,
        type text NOT NULL,
        account text,
        customer_id text,
        account_id text,
        created_at timestamptz(3) NOT NULL,
        received_at timestamptz(3) NOT NULL,
        handled_at timestamptz(3),
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL,
        failure text
      )`);
    await runner.query(
      'CREATE INDEX provider_events_due_idx ON provider_events (due_at) WHERE handled_at IS NULL',
    );
    await runner.query('CREATE INDEX provider_events_received_idx ON provider_events (received_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE provider_events, reconciliations, refunds, provider_endings, checkouts, payout_accounts,
        provider_customers`);
    await runner.query('ALTER TABLE prices DROP COLUMN provider_id');
    await runner.query(
      'ALTER TABLE subscriptions DROP COLUMN provider_subscription_id, DROP COLUMN unpaid_since',
    );
  }
}
