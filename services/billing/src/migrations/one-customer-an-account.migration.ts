import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A user may have several customers of a currency, on several accounts: the key by which the version before wrote goes. */
export class OneCustomerAnAccount1766500100000 implements MigrationInterface {
  readonly name = 'OneCustomerAnAccount1766500100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_customers
        DROP CONSTRAINT provider_customers_pkey,
        DROP CONSTRAINT provider_customers_id_key,
        ADD CONSTRAINT provider_customers_pkey PRIMARY KEY (customer_id)`);
  }

  /** Throws where a user has several customers of one currency: what they pay for would be forgotten. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_customers
        DROP CONSTRAINT provider_customers_pkey,
        ADD CONSTRAINT provider_customers_pkey PRIMARY KEY (user_id, currency),
        ADD CONSTRAINT provider_customers_id_key UNIQUE (customer_id)`);
  }
}
