import { postTopic } from '@pulso/contracts/topics/posts';
import { Client } from 'pg';
import { Entity, type MigrationInterface, PrimaryColumn, type QueryRunner } from 'typeorm';
import { PostState } from '@pulso/contracts/posts/v1/events';
import { owned, postgres } from '../../src/postgres/postgres-store.js';
import { awaitSchema } from '../../src/service/await-schema.js';
import { aPostgresDatabase, type TestDatabase } from '../../testing/databases.js';
import { outcome } from '../../testing/outcomes.js';

@Entity('notes')
class Note {
  @PrimaryColumn('text')
  id!: string;
}

abstract class Step implements MigrationInterface {
  abstract readonly name: string;
  protected abstract readonly sql: string;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(this.sql);
  }

  async down(): Promise<void> {}
}

class CreateNotes1764300000000 extends Step {
  readonly name = 'CreateNotes1764300000000';
  protected readonly sql = 'CREATE TABLE notes (id text PRIMARY KEY, old text)';
}

class DropOld1764400000000 extends Step {
  readonly name = 'DropOld1764400000000';
  protected readonly sql = 'ALTER TABLE notes DROP old';
}

class AddNew1764500000000 extends Step {
  readonly name = 'AddNew1764500000000';
  protected readonly sql = 'ALTER TABLE notes ADD new text';
}

const storeOf = (...later: (new () => object)[]) =>
  postgres({
    entities: [Note],
    migrations: [CreateNotes1764300000000, ...later],
    cleanupMigrations: [DropOld1764400000000],
    owns: [owned(postTopic, Note, ({ id }) => PostState.fromPartial({ id }))],
  });

describe('contract migrations', () => {
  let database: TestDatabase;
  let client: Client;
  const target = () => ({ service: 'test', setting: 'TEST_DATABASE_URL', url: database.url, pool: 1 });

  beforeEach(async () => {
    database = await aPostgresDatabase('contracts');
    client = new Client(database.url);
    await client.connect();
  });
  afterEach(async () => {
    await client?.end();
    await database?.drop();
  });

  const columns = async () => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'notes'::regclass AND attnum > 0 AND NOT attisdropped",
    );
    return rows.map(({ name }) => name);
  };

  it('wait for the end of the rollout, and a service starts before and after them', async () => {
    const store = storeOf();
    expect(await outcome(store.assertReady(target()))).toMatch('has no schema yet');
    await store.migrate(target());
    expect(await columns()).toEqual(['id', 'old']);
    await store.assertReady(target());
    await store.migrate(target(), { finish: true });
    expect(await columns()).toEqual(['id']);
    await store.assertReady(target());
    await store.migrate(target());
    await store.migrate(target(), { finish: true });
    expect(await columns()).toEqual(['id']);
  });

  it('may wait while later versions migrate', async () => {
    await storeOf().migrate(target());
    await storeOf(AddNew1764500000000).migrate(target());
    expect(await columns()).toEqual(['id', 'old', 'new']);
    await storeOf(AddNew1764500000000).migrate(target(), { finish: true });
    expect(await columns()).toEqual(['id', 'new']);
  });

  it('are not what a wait for the schema waits for', async () => {
    const store = storeOf();
    const reasons: string[] = [];
    // Migrates as soon as the wait has found nothing.
    let migrated: Promise<void> | undefined;
    const onWait = (reason: string) => {
      reasons.push(reason);
      migrated ??= store.migrate(target());
    };
    await awaitSchema(store, target(), { onWait, betweenMs: 50 });
    await migrated;
    expect(reasons[0]).toMatch('TEST_DATABASE_URL: the database has no schema yet');
    expect(await columns()).toEqual(['id', 'old']);
  });

  it('run at once on a new database', async () => {
    await storeOf(AddNew1764500000000).migrate(target(), { finish: true });
    expect(await columns()).toEqual(['id', 'new']);
  });
});
