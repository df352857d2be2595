import { jest } from '@jest/globals';
import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { blockTopic } from '@pulso/contracts/topics/social';
import { eventOf } from '../../src/events/event-record.js';
import { newId, newIdAt } from '../../src/ids/uuid-v7.js';
import { createLogger } from '../../src/logging/logger.js';
import { type ProjectionStore, ProjectionTable } from '../../src/postgres/projection-table.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { aProjectionDatabase, KnownBlocks } from './block-rows.js';

const A_MINUTE_MS = 60_000;
const AN_HOUR_MS = 60 * A_MINUTE_MS;

/** Sets this process's clock for the rest of the test; the database's goes on. */
function setOwnClock(aheadMs: number): void {
  const now = Date.now;
  const spy = jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  onTestEnd(() => spy.mockRestore());
}

let database: Awaited<ReturnType<typeof aProjectionDatabase>>;
let blocks: KnownBlocks;

beforeAll(async () => (database = await aProjectionDatabase()));
beforeEach(async () => {
  await database.clear();
  blocks = new KnownBlocks(database.replica());
});
afterAll(() => database?.drop());

const block = (version: number, active = true): BlockState => ({
  blockerId: 'a',
  blockedId: 'b',
  version,
  active,
});
const apply = (state: BlockState, republication?: string) =>
  blocks.apply(state, eventOf(blockTopic, state, { republication }));

const rows = (table = 'known_blocks') => database.rows(table);
const aRow = (version: number, active = true) => ({ blocker_id: 'a', blocked_id: 'b', active, version });
const begin = (run: string) => blocks.republishStarted({ run, partition: 0, partitions: 1 });
const end = (run: string, states: number, partition = 0, partitions = 1) =>
  blocks.republishEnded({ run, partition, partitions, states });

describe('events', () => {
  it('end in the newest version, in any order and with repetitions', async () => {
    const history = Array.from({ length: 20 }, (_, n) => block(n + 1, n % 2 === 0));
    const deliveries = [...history, ...history].map((state, n) => ({ state, at: (n * 17) % 41 }));
    deliveries.sort((a, b) => a.at - b.at);
    for (const { state } of deliveries) {
      await apply(state);
      expect(await rows('effects')).toMatchObject([{ active: (await rows())[0]!['active'] }]);
    }
    expect(await rows()).toEqual([aRow(20, false)]);
    expect(await blocks.versionOf('a_b')).toBe(20);
    expect(await blocks.versionOf('b_a')).toBeUndefined();
  });

  it('end in the newest version under races, and so do their effects', async () => {
    const states = Array.from({ length: 60 }, (_, n) => block(((n * 23) % 30) + 1, n % 2 === 0));
    await Promise.all(states.map((state) => apply({ ...state, active: state.version % 2 === 0 })));
    expect(await rows()).toEqual([aRow(30, true)]);
    expect(await rows('effects')).toEqual([{ name: 'a_b', active: true }]);
  });

  it('overwrite a row whose version is in the future', async () => {
    await apply(block(Date.now() * 1000));
    await database.pool.query('UPDATE known_blocks SET version = 9000000000000000');
    const now = Date.now() * 1000;
    await apply(block(now, false));
    expect(await rows()).toEqual([aRow(now, false)]);
    // A clock that is slightly ahead does not count as the future.
    await apply(block((Date.now() + A_MINUTE_MS) * 1000, true));
    await apply(block(Date.now() * 1000, false));
    expect(await rows()).toMatchObject([{ active: true }]);
  });

  it.each([
    ['2 h behind', -2],
    ['a day ahead', 24],
  ])('are compared by the database’s clock if the consumer’s is %s', async (_, hours) => {
    const now = Date.now() * 1000;
    setOwnClock(hours * AN_HOUR_MS);
    await apply(block(now));
    await apply(block(now - 1, false));
    expect(await rows()).toEqual([aRow(now)]);
    await database.pool.query('UPDATE known_blocks SET version = version + 2 * 3600000000::bigint');
    await apply(block(now + 1, false));
    expect(await rows()).toEqual([aRow(now + 1, false)]);
  });

  it('that are of the future themselves win only if they are newer', async () => {
    const later = (Date.now() + 2 * AN_HOUR_MS) * 1000;
    await apply(block(later));
    await apply(block(later - 1, false));
    expect(await rows()).toEqual([aRow(later)]);
    await apply(block(later + 1, false));
    expect(await rows()).toEqual([aRow(later + 1, false)]);
  });

  it('write neither the row nor its effect if the effect fails', async () => {
    const failing = new (class extends KnownBlocks {
      protected override async afterRowWritten(
        ...args: Parameters<KnownBlocks['afterRowWritten']>
      ): Promise<void> {
        await super.afterRowWritten(...args);
        throw new Error('refused');
      }
    })(database.replica());
    await expect(failing.apply(block(1), eventOf(blockTopic, block(1)))).rejects.toThrow('refused');
    expect([await rows(), await rows('effects')]).toEqual([[], []]);
  });
});

class KnownSubscriptions extends ProjectionTable<SubscriptionState> {
  constructor(store: ProjectionStore, key: readonly string[] = ['user_id', 'coach_id']) {
    super(store, {
      topic: subscriptionTopic,
      table: 'known_subscriptions',
      key,
      columns: ({ active, everActive = false }) => ({ active, ever_active: active || everActive }),
      ever: ['ever_active'],
    });
  }
}

it('keeps `ever` columns true, unless the owner’s republication says otherwise', async () => {
  const subscriptions = new KnownSubscriptions(database.replica());
  const tell = (version: number, active: boolean, everActive?: boolean, republication?: string) => {
    const state = { userId: 'u', coachId: 'c', version, active, everActive };
    return subscriptions.apply(state, eventOf(subscriptionTopic, state, { republication }));
  };
  const is = async (fields: object) => expect(await rows('known_subscriptions')).toMatchObject([fields]);
  await tell(3, false);
  await is({ active: false, ever_active: false, version: 3 });
  await tell(2, true);
  await is({ active: false, ever_active: true, version: 3 });
  await tell(4, false);
  await is({ active: false, ever_active: true, version: 4 });
  const run = newId();
  await subscriptions.republishStarted({ run, partition: 0, partitions: 1 });
  await tell(4, false, true, run);
  await is({ ever_active: true });
  const later = newId();
  await subscriptions.republishStarted({ run: later, partition: 0, partitions: 1 });
  await tell(4, false, false, later);
  await is({ ever_active: false });
});

it('refuses a table whose key is not the topic’s', () => {
  expect(() => new KnownSubscriptions(database.replica(), ['user_id'])).toThrow('its key is not that of');
});

describe('a republished state', () => {
  const [earlier, run, later] = [newId(), newId(), newId()] as const;

  it.each<[string, { row: string; state: BlockState; becomes: [number, boolean] }]>([
    ['the same', { row: '5, true, NULL, past', state: block(5), becomes: [5, true] }],
    ['older', { row: '4, false, NULL, past', state: block(5), becomes: [5, true] }],
    [
      'of the same version and other content',
      { row: '5, false, NULL, past', state: block(5), becomes: [5, true] },
    ],
    [
      'newer but written before the run',
      { row: '6, false, NULL, past', state: block(5), becomes: [5, true] },
    ],
    [
      'newer because of a recent event',
      { row: '6, false, NULL, since', state: block(5), becomes: [6, false] },
    ],
    ['recent and older', { row: '4, false, NULL, since', state: block(5), becomes: [5, true] }],
    [
      'newer, by an earlier run',
      { row: `6, false, '${earlier}', past`, state: block(5), becomes: [5, true] },
    ],
    ['newer, by this run', { row: `6, false, '${run}', past`, state: block(5), becomes: [6, false] }],
    ['older, by this run', { row: `4, false, '${run}', past`, state: block(5), becomes: [5, true] }],
    ['newer, by a later run', { row: `6, false, '${later}', past`, state: block(5), becomes: [6, false] }],
  ])('is compared with a row that is %s', async (_, { row, state, becomes }) => {
    await begin(run);
    const at = row.endsWith('past') ? "clock_timestamp() - interval '1 hour'" : 'clock_timestamp()';
    const values = row.replace(/past|since/, at);
    await database.pool.query(
      `INSERT INTO known_blocks (blocker_id, blocked_id, version, active, confirmed_by, changed_at) VALUES ('a', 'b', ${values})`,
    );
    await apply(state, run);
    expect(await rows()).toEqual([aRow(...becomes)]);
    await end(run, 1);
    expect(await rows()).toHaveLength(1);
  });

  it('of a run whose start has not arrived counts as an event', async () => {
    await apply(block(6, false));
    await apply(block(5), run);
    await end(run, 1);
    expect(await rows()).toEqual([aRow(6, false)]);
  });
});

describe('the end of a republication', () => {
  it('waits for all partitions, and may be repeated', async () => {
    const run = newId();
    await database.pool.query("INSERT INTO known_blocks VALUES ('stray', 'b', true, 1)");
    await database.pool.query("INSERT INTO effects VALUES ('stray_b', true)");
    await Promise.all([begin(run), begin(run)]);
    await apply(block(1), run);
    await end(run, 1, 1, 2);
    await end(run, 1, 1, 2);
    expect(await rows()).toHaveLength(2);
    await end(run, 1, 0, 2);
    await end(run, 1, 0, 2);
    expect(await rows()).toEqual([aRow(1)]);
    expect(await rows('effects')).toEqual([{ name: 'a_b', active: true }]);
  });

  it('removes nothing while states are missing, until they are replayed', async () => {
    const run = newId();
    await database.pool.query(
      "INSERT INTO known_blocks VALUES ('stray', 'b', true, 1), ('a', 'b', false, 1)",
    );
    await begin(run);
    await expect(end(run, 1)).rejects.toThrow('only 0 of 1 states have arrived');
    expect(await rows()).toHaveLength(2);
    await apply(block(1), run);
    await end(run, 1);
    expect(await rows()).toEqual([aRow(1)]);
  });

  it('does not remove a row that a recent event has written', async () => {
    const run = newId();
    await begin(run);
    await apply(block(1));
    await end(run, 0);
    expect(await rows()).toEqual([aRow(1)]);
  });

  it('removes no row whose event has come again since, and changes nothing else of it', async () => {
    const run = newId();
    await apply(block(1));
    await begin(run);
    await apply({ ...block(1), active: false });
    await end(run, 0);
    expect(await rows()).toEqual([aRow(1)]);
  });

  it('removes a row that only an older event has named since', async () => {
    const run = newId();
    await apply(block(2));
    await begin(run);
    await apply(block(1));
    await end(run, 0);
    expect(await rows()).toEqual([]);
  });

  it('of a run that a later run has replaced does nothing', async () => {
    const [first, second] = [newId(), newId()] as const;
    for (const run of [first, second]) await begin(run);
    await apply(block(1), second);
    await end(second, 1);
    await database.pool.query("INSERT INTO known_blocks VALUES ('stray', 'b', true, 1)");
    await end(first, 1);
    expect(await rows()).toHaveLength(2);
  });
});

describe('a republication that a consumer reads again', () => {
  const YOUNG = { blockerId: 'young', blockedId: 'b', version: 9, active: true };
  let warnings: string[];

  beforeEach(() => {
    warnings = [];
    const destination = { write: (line: string) => void warnings.push(line) };
    blocks = new KnownBlocks(database.replica(createLogger({ service: 'test', level: 'warn', destination })));
  });

  /** Everything that a new consumer group reads: the republication, then an event of a younger row. */
  async function readAgain(run: string) {
    await begin(run);
    await apply(block(5), run);
    await end(run, 1);
    await apply(YOUNG);
  }

  it.each(['began hours ago', 'is earlier than a known one'])('removes nothing if it %s', async (reason) => {
    const isOld = reason === 'began hours ago';
    const run = isOld ? newIdAt(Date.now() - 120 * A_MINUTE_MS) : newId();
    await apply(block(5));
    if (!isOld) {
      const later = newId();
      await begin(later);
      await end(later, 0);
      await apply(block(5));
    }
    await apply(YOUNG);
    await database.pool.query("UPDATE known_blocks SET changed_at = '-infinity'");
    await readAgain(run);
    expect(await rows()).toHaveLength(2);
    expect(await rows('effects')).toEqual([
      { name: 'a_b', active: true },
      { name: 'young_b', active: true },
    ]);
    expect(warnings).toEqual([expect.stringContaining(run)]);
  });

  it('still wins where it is newer', async () => {
    await apply(block(4, false));
    await readAgain(newIdAt(Date.now() - 120 * A_MINUTE_MS));
    expect(await rows()).toContainEqual(aRow(5));
  });

  it('removes nothing if it is of the future, and keeps out none of the present', async () => {
    await apply(block(5));
    await database.pool.query("INSERT INTO known_blocks VALUES ('stray', 'b', true, 1)");
    await database.pool.query("UPDATE known_blocks SET changed_at = '-infinity'");
    const ahead = newIdAt(Date.now() + 24 * AN_HOUR_MS);
    await readAgain(ahead);
    expect(await rows()).toHaveLength(3);
    expect(warnings).toEqual([expect.stringContaining(ahead)]);
    await database.pool.query("UPDATE known_blocks SET changed_at = '-infinity'");
    await readAgain(newId());
    expect((await rows()).map((row) => String(row['blocker_id'])).toSorted()).toEqual(['a', 'young']);
  });

  it.each([
    ['2 h behind', -2],
    ['a day ahead', 24],
  ])('is judged by the database’s clock if the consumer’s is %s', async (_, hours) => {
    const run = newId();
    const late = newIdAt(Date.now() - 2 * AN_HOUR_MS);
    await database.pool.query("INSERT INTO known_blocks VALUES ('stray', 'b', true, 1)");
    await database.pool.query("UPDATE known_blocks SET changed_at = '-infinity'");
    setOwnClock(hours * AN_HOUR_MS);
    await readAgain(late);
    expect(warnings).toEqual([expect.stringContaining(late)]);
    expect(await rows()).toHaveLength(3);
    await readAgain(run);
    expect(warnings).toHaveLength(1);
    expect((await rows()).map((row) => String(row['blocker_id'])).toSorted()).toEqual(['a', 'young']);
  });

  it('removes nothing if it is known and recent', async () => {
    const run = newId();
    await readAgain(run);
    await readAgain(run);
    expect(await rows()).toHaveLength(2);
    expect(warnings).toEqual([]);
  });
});

it('counts a row that a replica of the version before inserts as written then', async () => {
  const run = newId();
  await begin(run);
  await database.pool.query("INSERT INTO known_blocks VALUES ('a', 'b', true, 1)");
  await end(run, 0);
  expect(await rows()).toEqual([aRow(1)]);
});
