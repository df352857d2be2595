import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foldByTrigger } from './create-directory.migration.js';

/**
 * Databases that got the directory when its folded texts were generated columns get the triggers instead; the texts stay
 * as they are. For all others this changes nothing.
 */
export class FoldByTrigger1764400000000 implements MigrationInterface {
  readonly name = 'FoldByTrigger1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ALTER folded_name DROP EXPRESSION IF EXISTS, ALTER folded_about DROP EXPRESSION IF EXISTS`);
    await foldByTrigger(runner);
  }

  /** The version before works with the triggers, too; `CreateDirectory` removes them. */
  async down(): Promise<void> {}
}
