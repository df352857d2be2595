import { addRebuildColumns } from '@pulso/platform/postgres/create-rebuilds.migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subscriptions with their counts and endings, prices, the operators' record, and the projections of others' states. */
export class CreateBilling1765000000000 implements MigrationInterface {
  readonly name = 'CreateBilling1765000000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.createProjections(runner);
    await this.createSubscriptions(runner);
    await this.createEndings(runner);
    await this.createPrices(runner);
    await this.createAudit(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_entries, prices, coach_prices, endings, coach_counts, subscriptions, known_price_intents,
        known_blocks, known_users`);
    await runner.query('DROP SEQUENCE subscription_beginnings');
  }

  private async createProjections(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE known_users (
        id uuid PRIMARY KEY,
        status text NOT NULL CHECK (status IN ('active', 'suspended', 'deleted')),
        name text NOT NULL,
        username text NOT NULL,
        profile_image_id text NOT NULL,
        is_coach boolean NOT NULL,
        version bigint NOT NULL
      )`);
    // Not unique: a renamed user may be known by a name that another one has taken since.
    await runner.query('CREATE INDEX known_users_username_idx ON known_users (username)');
    await runner.query(`
      CREATE TABLE known_blocks (
        blocker_id uuid NOT NULL,
        blocked_id uuid NOT NULL,
        active boolean NOT NULL,
        version bigint NOT NULL,
        PRIMARY KEY (blocker_id, blocked_id)
      )`);
    await runner.query(`
      CREATE TABLE known_price_intents (
        user_id uuid PRIMARY KEY,
        price_minor integer,
        currency text NOT NULL,
        version bigint NOT NULL
      )`);
    for (const table of ['known_users', 'known_blocks', 'known_price_intents'])
      await addRebuildColumns(runner, table);
  }

  private async createSubscriptions(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SEQUENCE subscription_beginnings');
    await runner.query(`
      CREATE TABLE subscriptions (
        user_id uuid NOT NULL,
        coach_id uuid NOT NULL,
        id uuid NOT NULL CONSTRAINT subscriptions_id_key UNIQUE,
        plan_type text NOT NULL CHECK (plan_type = 'monthly'),
        status text NOT NULL CHECK (status IN ('incomplete', 'active', 'past_due', 'cancelled')),
        start_date timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        cancelled_at timestamptz(3),
        current_period_end timestamptz(3),
        cancel_at_period_end boolean NOT NULL,
        access_until timestamptz(3),
        price_minor integer CHECK (price_minor > 0),
        price_currency text CHECK (price_currency IN ('MXN', 'USD')),
        ever_active boolean NOT NULL,
        gives_access boolean NOT NULL,
        begun bigint NOT NULL,
        version bigint NOT NULL,
        PRIMARY KEY (user_id, coach_id),
        CHECK (user_id <> coach_id),
        CHECK ((price_minor IS NULL) = (price_currency IS NULL)),
        CHECK (ever_active OR NOT gives_access),
        CHECK (NOT ever_active OR start_date IS NOT NULL)
      )`);
    // The subscriber's list.
    await runner.query(`
      CREATE INDEX subscriptions_list_idx
        ON subscriptions (user_id, coalesce(start_date, created_at) DESC, id DESC)`);
    // The coach's list: everyone who ever had access.
    await runner.query(`
      CREATE INDEX subscriptions_subscribers_idx ON subscriptions (coach_id, start_date DESC, id DESC)
        WHERE ever_active`);
    // Endings of a coach's subscriptions.
    await runner.query(
      'CREATE INDEX subscriptions_live_idx ON subscriptions (coach_id, begun) WHERE gives_access',
    );
    await runner.query(`
      CREATE INDEX subscriptions_paid_idx ON subscriptions (coach_id, price_currency) INCLUDE (price_minor, access_until)
        WHERE gives_access AND price_minor IS NOT NULL`);
    // Those whose access has an end: few, and settled soon after it.
    await runner.query(`
      CREATE INDEX subscriptions_expiry_idx ON subscriptions (access_until)
        WHERE gives_access AND access_until IS NOT NULL`);
    await runner.query(`
      CREATE INDEX subscriptions_coach_expiry_idx ON subscriptions (coach_id, access_until)
        WHERE gives_access AND access_until IS NOT NULL`);
    await runner.query(`
      CREATE TABLE coach_counts (
        coach_id uuid PRIMARY KEY,
        live_count integer NOT NULL CHECK (live_count >= 0),
        ever_count integer NOT NULL CHECK (ever_count >= 0)
      )`);
  }

  private async createEndings(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE endings (
        side text NOT NULL CHECK (side IN ('coach', 'subscriber')),
        user_id uuid NOT NULL,
        reason text NOT NULL,
        up_to bigint NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (user_id, side, reason)
      )`);
    await runner.query('CREATE INDEX endings_queue_idx ON endings (up_to)');
  }

  private async createPrices(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE coach_prices (
        coach_id uuid PRIMARY KEY,
        price_minor integer CHECK (price_minor >= 0),
        currency text NOT NULL CHECK (currency IN ('MXN', 'USD')),
        intent_version bigint NOT NULL,
        version bigint NOT NULL
      )`);
    // A payment provider's prices never change, so neither do these rows: another amount is another row.
    await runner.query(`
      CREATE TABLE prices (
        id uuid PRIMARY KEY,
        coach_id uuid NOT NULL,
        amount_minor integer NOT NULL CHECK (amount_minor > 0),
        currency text NOT NULL CHECK (currency IN ('MXN', 'USD')),
        "interval" text NOT NULL CHECK ("interval" = 'month'),
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT prices_key UNIQUE (coach_id, amount_minor, currency, "interval")
      )`);
  }

  private async createAudit(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entries (
        id uuid PRIMARY KEY,
        at timestamptz(3) NOT NULL,
        by text NOT NULL,
        command text NOT NULL,
        subject text NOT NULL,
        reason text NOT NULL,
        outcome text NOT NULL
      )`);
  }
}
