import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropPriceTriggers } from './hand-prices-over.migration.js';

/** A contract: removes the prices of the version before, which `HandPricesOver` has handed to billing. */
export class DropPrices1764900000002 implements MigrationInterface {
  readonly name = 'DropPrices1764900000002';

  async up(runner: QueryRunner): Promise<void> {
    await dropPriceTriggers(runner);
    await runner.query('ALTER TABLE users DROP subscription_price_minor, DROP subscription_currency');
  }

  async down(): Promise<void> {
    throw new Error('The version before cannot come back: its prices are gone.');
  }
}
