import { blockTopic } from '@pulso/contracts/topics/social';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { Commits } from '../../src/events/outbox/commits.js';
import { KnownTokens } from '../../src/events/known-tokens.js';
import { createLogger } from '../../src/logging/logger.js';
import { addRebuildColumns } from '../../src/postgres/create-rebuilds.migration.js';
import { postgres } from '../../src/postgres/postgres-store.js';
import { ProjectionStore, ProjectionTable } from '../../src/postgres/projection-table.js';
import { Rebuilds } from '../../src/postgres/rebuilds.js';
import { type Transaction, Writes } from '../../src/postgres/writes.js';
import { systemClock } from '../../src/time/clock.js';
import { aPostgresDatabase } from '../../testing/databases.js';

class CreateBlocks1764300000000 implements MigrationInterface {
  readonly name = 'CreateBlocks1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE known_blocks (
        blocker_id text, blocked_id text, active boolean NOT NULL, version bigint NOT NULL,
        PRIMARY KEY (blocker_id, blocked_id)
      )`);
    await addRebuildColumns(runner, 'known_blocks');
    await runner.query(`
      CREATE TABLE known_subscriptions (
        user_id text, coach_id text, active boolean NOT NULL, ever_active boolean NOT NULL, version bigint NOT NULL,
        PRIMARY KEY (user_id, coach_id)
      )`);
    await addRebuildColumns(runner, 'known_subscriptions');
    await runner.query('CREATE TABLE effects (name text PRIMARY KEY, active boolean NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE known_blocks, known_subscriptions, effects');
  }
}

/** A database with projections in it. */
export async function aProjectionDatabase() {
  const database = await aPostgresDatabase('projections');
  const store = postgres({ entities: [], migrations: [CreateBlocks1764300000000], owns: [] });
  const target = { service: 'test', setting: 'TEST_DATABASE_URL', url: database.url, pool: 8 };
  await store.migrate(target);
  const dataSource = await new DataSource(store.dataSourceOptions(target)).initialize();
  return {
    pool: database.pool,
    /** The dependencies of one replica. */
    replica: (logger = createLogger({ service: 'test', level: 'silent' })) => {
      const commits = new Commits({ nudge: () => undefined }, new KnownTokens(), systemClock);
      const writes = new Writes(dataSource, commits);
      return new ProjectionStore(dataSource, writes, new Rebuilds(dataSource, logger));
    },
    /** The rows of a table without the columns for rebuilds. */
    async rows(table: string) {
      const { rows } = await database.pool.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) - 'confirmed_by' - 'changed_at' AS row FROM ${table} AS t ORDER BY 1`,
      );
      return rows.map(({ row }) => row);
    },
    async clear() {
      await database.pool.query('TRUNCATE known_blocks, known_subscriptions, effects, projection_rebuilds');
    },
    async drop() {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

/** Blocks, and another table with the effect of each. */
export class KnownBlocks extends ProjectionTable<BlockState> {
  constructor(store: ProjectionStore) {
    super(store, {
      topic: blockTopic,
      table: 'known_blocks',
      key: ['blocker_id', 'blocked_id'],
      columns: ({ active }) => ({ active }),
    });
  }

  protected override async afterRowWritten(
    parts: readonly string[],
    state: BlockState | undefined,
    { manager }: Transaction,
  ): Promise<void> {
    const name = parts.join('_');
    if (!state) await manager.query('DELETE FROM effects WHERE name = $1', [name]);
    else {
      await manager.query(
        `INSERT INTO effects VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET active = excluded.active`,
        [name, state.active],
      );
    }
  }
}
