import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an operator said that a refund which the provider has refused was settled elsewhere. */
export class AddRefundsDealtWith1766450000000 implements MigrationInterface {
  readonly name = 'AddRefundsDealtWith1766450000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE refunds ADD COLUMN dealt_with_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE refunds DROP COLUMN dealt_with_at');
  }
}
