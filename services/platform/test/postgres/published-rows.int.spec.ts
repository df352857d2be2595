import { PostState } from '@pulso/contracts/posts/v1/events';
import { postTopic } from '@pulso/contracts/topics/posts';
import {
  Column,
  DataSource,
  Entity,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
} from 'typeorm';
import { Commits } from '../../src/events/outbox/commits.js';
import { KnownTokens } from '../../src/events/known-tokens.js';
import { safeInteger } from '../../src/postgres/column-transformers.js';
import { owned, postgres } from '../../src/postgres/postgres-store.js';
import { type Transaction, Writes } from '../../src/postgres/writes.js';
import { systemClock } from '../../src/time/clock.js';
import { aPostgresDatabase } from '../../testing/databases.js';
import { outcome } from '../../testing/outcomes.js';
import { refuseUnpublishedRows } from '../../testing/published-rows.js';

@Entity('notes')
class Note {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  text!: string;

  @Column('bigint', { transformer: safeInteger })
  version!: number;
}

class CreateNotes1764300000000 implements MigrationInterface {
  readonly name = 'CreateNotes1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE notes (id text PRIMARY KEY, text text NOT NULL, version bigint NOT NULL)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
  }
}

const toState = ({ id, version }: Note) => PostState.fromPartial({ id, version });
const note = (version: number, text = ''): Note => ({ id: 'note', version, text });
const REFUSED = /note version \d+ was written without Transaction.publish/;

let database: Awaited<ReturnType<typeof aPostgresDatabase>>;
let dataSource: DataSource;
let writes: Writes;

beforeEach(async () => {
  database = await aPostgresDatabase('told');
  const store = postgres({
    entities: [Note],
    migrations: [CreateNotes1764300000000],
    owns: [owned(postTopic, Note, toState)],
  });
  const target = { service: 'test', setting: 'TEST_DATABASE_URL', url: database.url, pool: 4 };
  await store.migrate(target);
  await refuseUnpublishedRows(store, target);
  dataSource = await new DataSource(store.dataSourceOptions(target)).initialize();
  writes = new Writes(dataSource, new Commits({ nudge: () => undefined }, new KnownTokens(), systemClock));
});

afterEach(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

const insert = ({ manager }: Transaction, version = 1) =>
  manager
    .getRepository(Note)
    .insert(note(version))
    .then(() => undefined);
const stored = () => dataSource.getRepository(Note).find();

it('commits a write that publishes its rows', async () => {
  await writes.run(async (transaction) => {
    await insert(transaction);
    await transaction.publish(postTopic, toState(note(1)));
  });
  expect(await stored()).toEqual([note(1)]);
});

it('refuses a new row and a new version that are not published', async () => {
  expect(await outcome(writes.run(insert))).toMatch(REFUSED);
  expect(await stored()).toEqual([]);
  await writes.run(async (transaction) => {
    await insert(transaction);
    await transaction.publish(postTopic, toState(note(1)));
  });
  const forgetful = writes.run(({ manager }) => manager.getRepository(Note).save(note(2, 'changed')));
  expect(await outcome(forgetful)).toMatch(REFUSED);
  expect(await outcome(dataSource.query('UPDATE notes SET version = 3'))).toMatch(REFUSED);
  expect(await stored()).toEqual([note(1)]);
});

it('refuses a write that publishes an older state or another entity’s', async () => {
  const older = writes.run(async (transaction) => {
    await insert(transaction, 2);
    await transaction.publish(postTopic, toState(note(1)));
  });
  expect(await outcome(older)).toMatch(REFUSED);
  const others = writes.run(async (transaction) => {
    await insert(transaction);
    await transaction.publish(postTopic, toState({ ...note(1), id: 'another' }));
  });
  expect(await outcome(others)).toMatch(REFUSED);
  expect(await stored()).toEqual([]);
});

it('commits a write that changes a row twice, if it publishes what the row then is', async () => {
  await writes.run(async (transaction) => {
    await insert(transaction);
    await transaction.publish(postTopic, toState(note(1)));
    await transaction.manager.getRepository(Note).save(note(2));
    await transaction.publish(postTopic, toState(note(2)));
  });
  expect(await stored()).toEqual([note(2)]);
  const former = writes.run(async (transaction) => {
    await transaction.manager.getRepository(Note).save(note(3));
    await transaction.publish(postTopic, toState(note(3)));
    await transaction.manager.getRepository(Note).save(note(4));
  });
  expect(await outcome(former)).toMatch(REFUSED);
});

it('refuses a row that goes back to a version before the one that waits', async () => {
  await writes.run(async (transaction) => {
    await insert(transaction, 2);
    await transaction.publish(postTopic, toState(note(2)));
  });
  expect(await outcome(dataSource.query('UPDATE notes SET version = 1'))).toMatch(REFUSED);
  const unlocked = writes.run(async (transaction) => {
    await transaction.manager.getRepository(Note).save(note(1));
    await transaction.publish(postTopic, toState(note(1)));
  });
  expect(await outcome(unlocked)).toMatch('note: version 1 follows version 2');
  expect(await stored()).toEqual([note(2)]);
});

it('lets a write change unpublished columns', async () => {
  await writes.run(async (transaction) => {
    await insert(transaction);
    await transaction.publish(postTopic, toState(note(1)));
  });
  await dataSource.query('DELETE FROM outbox');
  await writes.run(({ manager }) => manager.getRepository(Note).save(note(1, 'private')));
  expect(await stored()).toEqual([note(1, 'private')]);
});
