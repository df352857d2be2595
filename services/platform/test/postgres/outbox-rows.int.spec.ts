import type { PostState } from '@pulso/contracts/posts/v1/events';
import { jest } from '@jest/globals';
import { postTopic } from '@pulso/contracts/topics/posts';
import type { DataSource } from 'typeorm';
import type { OutboxExcept } from '../../src/events/outbox-source.js';
import { stageEvent } from '../../src/postgres/postgres-outbox.js';
import { aPost } from '../events/recorder.js';
import { anOutboxDatabase } from './outbox-database.js';

let database: Awaited<ReturnType<typeof anOutboxDatabase>>;
let dataSource: DataSource;

beforeEach(async () => {
  database = await anOutboxDatabase();
  ({ dataSource } = database);
});

const pending = (except?: OutboxExcept) => database.pending(except);
const write = (state: PostState) =>
  dataSource.transaction((manager) => stageEvent(manager, postTopic, state));

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
