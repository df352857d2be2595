import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether acknowledgements of other services may erase accounts: see `ErasureIntake`. */
export class OpenErasureIntake1766800000001 implements MigrationInterface {
  readonly name = 'OpenErasureIntake1766800000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erasure_intake (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        open_until timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasure_intake');
  }
}
