import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = "'failed', 'renewed', 'refunded', 'second-refunded'";

/** Payers are told of disputes that have ended a subscription (SUBS-35). */
export class AddDisputeNotices1766480000000 implements MigrationInterface {
  readonly name = 'AddDisputeNotices1766480000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.allow(runner, `${KINDS}, 'disputed'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM payment_notices WHERE kind = 'disputed'");
    await this.allow(runner, KINDS);
  }

  private async allow(runner: QueryRunner, kinds: string): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_notices DROP CONSTRAINT payment_notices_kind_check,
        ADD CONSTRAINT payment_notices_kind_check CHECK (kind IN (${kinds}))`);
  }
}
