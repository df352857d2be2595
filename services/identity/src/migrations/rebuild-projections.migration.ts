import { addRebuildColumns, dropRebuildColumns } from '@pulso/platform/postgres/create-rebuilds.migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const PROJECTIONS = ['known_blocks', 'known_suspensions'];

/** Lets republications rebuild the projections of social's events. */
export class RebuildProjections1764200000001 implements MigrationInterface {
  readonly name = 'RebuildProjections1764200000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of PROJECTIONS) await addRebuildColumns(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of PROJECTIONS) await dropRebuildColumns(runner, table);
  }
}
