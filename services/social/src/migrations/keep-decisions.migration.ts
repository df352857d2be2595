import { allowChanges, makeAppendOnly } from '@pulso/platform/postgres/append-only';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The record of moderators' decisions takes new rows alone, as that of operators does (ACCT-44). */
export class KeepDecisions1766700000001 implements MigrationInterface {
  readonly name = 'KeepDecisions1766700000001';

  async up(runner: QueryRunner): Promise<void> {
    await makeAppendOnly(runner, 'moderation_decisions');
  }

  async down(runner: QueryRunner): Promise<void> {
    await allowChanges(runner, 'moderation_decisions');
  }
}
