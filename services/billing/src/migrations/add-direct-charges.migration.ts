import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers and prices on coaches' own accounts, and which customer pays for what. */
export class AddDirectCharges1766500000000 implements MigrationInterface {
  readonly name = 'AddDirectCharges1766500000000';

  async up(runner: QueryRunner): Promise<void> {
    // A user has one customer for a currency and an account; null is the platform's own account. The version before writes by
    // the key of user and currency, which goes once it does not run any more.
    await runner.query(`
      ALTER TABLE provider_customers
        ADD COLUMN account_id text,
        ADD CONSTRAINT provider_customers_key UNIQUE NULLS NOT DISTINCT (user_id, currency, account_id)`);
    // What the provider has of a price on the coach's own account; provider_id is that on the platform's.
    await runner.query(`
      ALTER TABLE prices
        ADD COLUMN account_id text,
        ADD COLUMN account_provider_id text CONSTRAINT prices_account_provider_id_key UNIQUE`);
    await runner.query('ALTER TABLE subscriptions ADD COLUMN provider_customer_id text');
    await runner.query(`
      UPDATE subscriptions s SET provider_customer_id = c.customer_id FROM provider_customers c
      WHERE (c.user_id, c.currency) = (s.user_id, s.price_currency) AND s.provider_subscription_id IS NOT NULL`);
    await runner.query('ALTER TABLE checkouts ADD COLUMN customer_id text');
    await runner.query(`
      UPDATE checkouts p SET customer_id = c.customer_id FROM provider_customers c
      WHERE (c.user_id, c.currency) = (p.user_id, p.currency) AND p.state IN ('opening', 'open')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE checkouts DROP COLUMN customer_id');
    await runner.query('ALTER TABLE subscriptions DROP COLUMN provider_customer_id');
    await runner.query('ALTER TABLE prices DROP COLUMN account_id, DROP COLUMN account_provider_id');
    await runner.query(`
      ALTER TABLE provider_customers DROP CONSTRAINT provider_customers_key, DROP COLUMN account_id`);
  }
}
