import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A contract: removes the index that the version before filters specialties by; since `CompareTexts` their keys have one. */
export class DropSpecialtiesIndex1765000000001 implements MigrationInterface {
  readonly name = 'DropSpecialtiesIndex1765000000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS users_directory_specialties_idx');
  }

  async down(): Promise<void> {
    throw new Error('The version before cannot come back: its filter would read the whole directory.');
  }
}
