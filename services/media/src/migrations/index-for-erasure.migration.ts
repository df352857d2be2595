import { createIndexOnline } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An erasure finds all that a user has stored, in whatever state. */
const INDEXES = { assets_owner_idx: 'assets (owner_id)', videos_owner_idx: 'videos (owner_id)' };

export class IndexForErasure1766600000001 implements MigrationInterface {
  readonly name = 'IndexForErasure1766600000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES))
      await createIndexOnline(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}
