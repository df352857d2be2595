import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Beside the name that an operator gives stands the user of the operating system, whom they cannot choose. */
export class RecordOsUsers1766800000000 implements MigrationInterface {
  readonly name = 'RecordOsUsers1766800000000';

  /** Processes of the version before go on writing without it. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE audit_entries ADD COLUMN IF NOT EXISTS os_user text NOT NULL DEFAULT ''");
  }

  /** Keeps the column: who takes a version back must not remove a part of the record. */
  async down(): Promise<void> {}
}
