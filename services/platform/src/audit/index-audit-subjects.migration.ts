import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from '../postgres/online-migration.js';

const INDEX = 'audit_entries_subject_idx';

/** `audit --subject` finds the entries about one id. */
export class IndexAuditSubjects1766900000001 implements MigrationInterface {
  readonly name = 'IndexAuditSubjects1766900000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Entries are few: none has to wait in a list that each search reads.
    const definition = "audit_entries USING gin (string_to_array(subject, ' ')) WITH (fastupdate = off)";
    await createIndexOnline(runner, INDEX, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${INDEX}`);
  }
}
