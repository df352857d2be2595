import type { MigrationInterface, QueryRunner } from 'typeorm';
import { allowChanges, makeAppendOnly } from '../postgres/append-only.js';

/** Creates the table of `AuditTrail`, which billing has already, and makes it append-only. */
export class KeepAudit1766700000000 implements MigrationInterface {
  readonly name = 'KeepAudit1766700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS audit_entries (
        id uuid PRIMARY KEY,
        at timestamptz(3) NOT NULL,
        by text NOT NULL,
        command text NOT NULL,
        subject text NOT NULL,
        reason text NOT NULL,
        outcome text NOT NULL
      )`);
    await makeAppendOnly(runner, 'audit_entries');
  }

  /** Keeps the table: who takes a version back must not remove the record of what operators did. */
  async down(runner: QueryRunner): Promise<void> {
    await allowChanges(runner, 'audit_entries');
  }
}
