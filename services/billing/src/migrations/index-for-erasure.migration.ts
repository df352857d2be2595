import { createIndexOnline } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  // An erasure finds what has to end at the provider for a coach; the key begins with the subscriber.
  provider_endings_coach_idx: 'provider_endings (coach_id)',
  // An export finds what is held of a user.
  payment_notices_user_idx: 'payment_notices (user_id)',
  refunds_subscription_idx: 'refunds (provider_subscription_id)',
  disputes_user_idx: 'disputes (user_id)',
  disputes_coach_idx: 'disputes (coach_id)',
  checkouts_user_idx: 'checkouts (user_id)',
};

/** Erasures and exports ask for all that is held of one user. */
export class IndexForErasure1766600000001 implements MigrationInterface {
  readonly name = 'IndexForErasure1766600000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexOnline(runner, name, on);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
  }
}
