import { jest } from '@jest/globals';
import type { PostState } from '@pulso/contracts/posts/v1/events';
import { postTopic } from '@pulso/contracts/topics/posts';
import type { DataSource } from 'typeorm';
import type { OutboxExcept } from '../../src/events/outbox/outbox-source.js';
import { stageEvents } from '../../src/postgres/postgres-outbox.js';
import { gate } from '../../testing/gate.js';
import { outcome } from '../../testing/outcomes.js';
import { until } from '../../testing/until.js';
import { aPost } from '../events/recorder.js';
import { anOutboxDatabase } from './outbox-database.js';
import { stageEvent } from '../stage-event.js';

let database: Awaited<ReturnType<typeof anOutboxDatabase>>;
let dataSource: DataSource;

beforeEach(async () => {
  database = await anOutboxDatabase();
  ({ dataSource } = database);
});

const pending = (except?: OutboxExcept) => database.pending(except);
const write = (...states: PostState[]) =>
  dataSource.transaction((manager) => stageEvents(manager, postTopic, states));

describe('the outbox refuses a state', () => {
  const stale = (stored: PostState, state: PostState) => async () => {
    await write(stored);
    expect(await outcome(write(state))).toMatch(
      /version \d+ follows version \d+, which is not published yet: a writer does not lock the row/,
    );
    expect((await pending()).map((event) => postTopic.codec.decode(event.payload))).toEqual([stored]);
  };

  it('that is older than the one that waits', stale(aPost({ version: 7 }), aPost({ version: 3 })));
  it('of the same version with other content', stale(aPost({ authorId: 'a' }), aPost({ authorId: 'b' })));

  it('among many, and writes none of them', async () => {
    await write(aPost({ id: 'b', version: 9 }));
    const many = write(aPost({ id: 'a' }), aPost({ id: 'b', version: 4 }));
    expect(await outcome(many)).toMatch('b: version 4 follows version 9');
    expect((await pending()).map(({ key }) => key)).toEqual(['b']);
  });

  it('of two writers who do not wait for each other, the later one’s', async () => {
    const [written, other] = [gate('the first writer'), gate('the second writer')];
    const first = dataSource.transaction(async (manager) => {
      await stageEvent(manager, postTopic, aPost({ version: 7 }));
      written.open();
      await other.opened;
    });
    await written.opened;
    const second = outcome(write(aPost({ version: 3 })));
    // It waits for the first one's row.
    await until(async () => (await dataSource.query('SELECT FROM pg_locks WHERE NOT granted')).length > 0, {
      what: 'the second writer waits',
    });
    other.open();
    await first;
    expect(await second).toMatch('version 3 follows version 7');
  });

  it('but not one that waits there already', async () => {
    await write(aPost({ version: 7 }));
    await write(aPost({ version: 7 }));
    expect((await pending()).map(({ version }) => version)).toEqual([7]);
  });
});

describe('the outbox leaves out', () => {
  const OTHER = 'another-topic';

  it('topics, of which the 200 oldest rows are stuck', async () => {
    await database.fill(OTHER, 200, '1 hour');
    await write(aPost({ id: 'young' }));
    expect(await pending()).not.toContainEqual(expect.objectContaining({ key: 'young' }));
    const events = await pending({ topics: [OTHER], entities: [] });
    expect(events.map(({ key }) => key)).toEqual(['young']);
  });

  it('single entities, and no namesakes of other topics', async () => {
    await database.fill(OTHER, 200, '1 hour');
    for (const id of ['young', '7']) await write(aPost({ id }));
    const entities = Array.from({ length: 200 }, (_, n) => ({ topic: OTHER, key: `${n + 1}` }));
    const events = await pending({ topics: [], entities });
    expect(events.map(({ key }) => key).toSorted()).toEqual(['7', 'young']);
    const some = await pending({ topics: [], entities: entities.slice(0, 50) });
    expect(some.map(({ key }) => key)).toEqual([
      ...entities.slice(50).map(({ key }) => key),
      ...events.map(({ key }) => key),
    ]);
  });
});

it.each<[string, OutboxExcept | undefined]>([
  ['', undefined],
  [', also without stuck entities', { topics: [], entities: [{ topic: postTopic.name, key: '7' }] }],
])('the oldest states of a long backlog are read by an index%s', async (_, except) => {
  await database.fill(postTopic.name, 20_000, '1 day');
  await dataSource.query('ANALYZE outbox');
  const query = jest.spyOn(dataSource, 'query');
  await database.outbox.pending(200, except);
  const [sql, parameters] = query.mock.calls[0]!;
  query.mockRestore();
  const plan = await dataSource.query<object[]>(`EXPLAIN ${sql}`, parameters as unknown[]);
  expect(JSON.stringify(plan)).toContain('Index Scan using outbox_staged_at_idx');
  expect(JSON.stringify(plan)).not.toContain('Sort');
});
