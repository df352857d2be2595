import { addRebuildColumns, dropRebuildColumns } from '@pulso/platform/postgres/create-rebuilds.migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets republications rebuild social's projections of users and subscriptions. */
export class RebuildProjections1764200000001 implements MigrationInterface {
  readonly name = 'RebuildProjections1764200000001';

  async up(runner: QueryRunner): Promise<void> {
    await addRebuildColumns(runner, 'known_users');
    await addRebuildColumns(runner, 'known_subscriptions');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropRebuildColumns(runner, 'known_subscriptions');
    await dropRebuildColumns(runner, 'known_users');
  }
}
