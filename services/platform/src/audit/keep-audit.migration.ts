import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of `AuditTrail`, which billing has already, and makes it append-only. */
export class KeepAudit1766600000000 implements MigrationInterface {
  readonly name = 'KeepAudit1766600000000';

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
    await runner.query(`
      CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'audit_entries takes new rows alone' USING ERRCODE = 'restrict_violation';
      END $$`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }

  /** Keeps the table: who takes a version back must not remove the record of what operators did. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER audit_entries_append_only ON audit_entries');
    await runner.query('DROP FUNCTION refuse_audit_change()');
  }
}
