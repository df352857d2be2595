import { createIndexOnline } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An erasure finds what has to end at the provider for a coach; the key begins with the subscriber. */
export class IndexForErasure1766600000001 implements MigrationInterface {
  readonly name = 'IndexForErasure1766600000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexOnline(runner, 'provider_endings_coach_idx', 'provider_endings (coach_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX provider_endings_coach_idx');
  }
}
