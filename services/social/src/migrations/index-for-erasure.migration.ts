import { createIndexOnline } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An erasure finds all rows of a user, also those that have ended, from either side. */
const INDEXES = {
  follows_ended_target_idx: 'follows (target_id) WHERE deleted_at IS NOT NULL',
  blocks_blocked_idx: 'blocks (blocked_id)',
  reviews_ended_reviewer_idx: 'reviews (reviewer_id) WHERE deleted_at IS NOT NULL',
  reports_reporter_idx: 'reports (reporter_id)',
};

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
