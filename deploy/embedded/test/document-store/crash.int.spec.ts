import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { Dice } from '@pulso/platform/testing/seeded';
import { until } from '@pulso/platform/testing/until';
import { type Collection, MongoClient } from 'mongodb';
import { listenDocumentStore } from '../../src/document-store/server.js';
import { Storage } from '../../src/document-store/store/storage.js';
import { type DocumentStore, startDocumentStore } from '../../src/document-store/supervisor.js';
import { endWithThisTest, isAlive } from '../child-process.js';
import { PASSWORD, temporaryDirectory } from './store-under-test.js';

/** `DOCUMENT_STORE_KILLS=50` for a long run. */
const KILLS = Number(process.env['DOCUMENT_STORE_KILLS'] ?? 4);
const WRITERS = 8;
const GROUPS = 5;
/** Chooses after how many writes each kill comes. */
const SEED = Number(process.env['DOCUMENT_STORE_SEED'] ?? 20_261_126);
/** A store that is slow beside other suites is not away. */
const PATIENT = { serverSelectionTimeoutMS: 60_000 };

interface Row {
  _id: string;
  key: string;
  group: number;
  count: number;
  dirtyAt?: Date;
}

/** The responses that the writers got: acknowledged writes must be stored, unanswered ones may be. */
interface Ledger {
  /** Finished rounds. */
  killed: Set<number>;
  inserted: Set<string>;
  deleted: Set<string>;
  maybeDeleted: Set<string>;
  counts: Map<string, { acknowledged: number; sent: number }>;
}

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Ends with its test. */
async function openStore(options: { onExit?: (description: string) => void; port?: number } = {}) {
  const store = await startDocumentStore({ directory, password: PASSWORD, ...options });
  onTestEnd(() => store.stop());
  const client = new MongoClient(store.url, PATIENT);
  onTestEnd(() => client.close());
  await client.connect();
  return { store, client };
}

test(
  'kill -9 during parallel writes loses no acknowledged write and keeps indexes consistent',
  async () => {
    const exits: string[] = [];
    const { store, client } = await openStore({ onExit: (description) => exits.push(description) });
    const rows = client.db('crash').collection<Row>('rows');
    await rows.createIndexes([
      { key: { key: 1 }, unique: true },
      { key: { group: 1, _id: 1 } },
      { key: { dirtyAt: 1 }, sparse: true },
    ]);
    const ledger: Ledger = {
      killed: new Set(),
      inserted: new Set(),
      deleted: new Set(),
      maybeDeleted: new Set(),
      counts: new Map(),
    };
    const dice = new Dice(SEED);
    for (let round = 0; round < KILLS; round++) {
      let failure: Error | undefined;
      const writers = Array.from({ length: WRITERS }, (_, writer) => write(rows, ledger, round, writer));
      const written = Promise.all(writers).catch((error: Error) => (failure = error));
      onTestEnd(() => ledger.killed.add(round));
      const before = ledger.inserted.size;
      const wanted = 3 * WRITERS + dice.below(400);
      const enough = () => failure !== undefined || ledger.inserted.size - before >= wanted;
      await until(enough, { what: `${wanted} acknowledged inserts in round ${round}` });
      const killed = store.pid;
      process.kill(killed, 'SIGKILL');
      ledger.killed.add(round);
      await written;
      if (failure) throw failure;
      await client.db('crash').command({ ping: 1 });
      expect(store.pid).not.toBe(killed);
      await verify(rows, ledger);
    }
    expect(exits.filter((exit) => exit.includes('ended unexpectedly'))).toHaveLength(KILLS);
  },
  120_000 + KILLS * 30_000,
);

/** Writes until its connection breaks. A writer between two requests may not notice the kill; `killed` tells it. */
async function write(rows: Collection<Row>, ledger: Ledger, round: number, writer: number): Promise<void> {
  for (let n = 0; !ledger.killed.has(round); n++) {
    const id = `${round}-${writer}-${n}`;
    try {
      const batch = [0, 1, 2].map((at) => ({
        _id: `${id}-${at}`,
        key: `k-${id}-${at}`,
        group: n % GROUPS,
        count: 0,
      }));
      await rows.insertMany(batch);
      for (const { _id } of batch) ledger.inserted.add(_id);
      const shared = `shared-${n % 3}`;
      const counter = ledger.counts.get(shared) ?? { acknowledged: 0, sent: 0 };
      ledger.counts.set(shared, counter);
      counter.sent++;
      await rows.updateOne(
        { _id: shared },
        { $inc: { count: 1 }, $setOnInsert: { key: shared, group: -1 }, $currentDate: { dirtyAt: true } },
        { upsert: true },
      );
      counter.acknowledged++;
      await rows.updateMany(
        { _id: { $in: batch.map(({ _id }) => _id) } },
        { $set: { group: (n + 1) % GROUPS, dirtyAt: new Date(n) } },
      );
      ledger.maybeDeleted.add(`${id}-2`);
      await rows.deleteOne({ _id: `${id}-2` });
      ledger.deleted.add(`${id}-2`);
    } catch (error) {
      if (isBrokenConnection(error)) return;
      throw error;
    }
  }
}

function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  // The driver passes a socket's own error on when the connection breaks while a command waits to be written.
  if (code === 'ECONNRESET' || code === 'EPIPE') return true;
  return /^Mongo(Network|PoolCleared|ServerSelection|BulkWrite)/.test(error.name) && code === undefined;
}

async function verify(rows: Collection<Row>, ledger: Ledger): Promise<void> {
  const all = await rows.find({}).sort({ _id: 1 }).toArray();
  const byId = new Map(all.map((row) => [row._id, row]));
  const kept = [...ledger.inserted].filter((id) => !ledger.maybeDeleted.has(id));
  expect(kept.filter((id) => !byId.has(id))).toEqual([]);
  expect([...ledger.deleted].filter((id) => byId.has(id))).toEqual([]);
  for (const [id, { acknowledged, sent }] of ledger.counts) {
    const count = byId.get(id)?.count ?? 0;
    expect(count).toBeGreaterThanOrEqual(acknowledged);
    expect(count).toBeLessThanOrEqual(sent);
  }
  // Every index, read through its own keys, holds exactly the documents.
  for (let group = -1; group < GROUPS; group++) {
    const expected = all.filter((row) => row.group === group).map(({ _id }) => _id);
    expect(await rows.countDocuments({ group })).toBe(expected.length);
    const indexed = await rows.find({ group }).sort({ _id: 1 }).toArray();
    expect(indexed.map(({ _id }) => _id)).toEqual(expected);
  }
  expect(await rows.countDocuments({ key: { $gte: '' } })).toBe(all.length);
  const dirty = all.filter(({ dirtyAt }) => dirtyAt);
  expect(await rows.countDocuments({ dirtyAt: { $gte: new Date(0) } })).toBe(dirty.length);
  const byDate = await rows
    .find({ dirtyAt: { $exists: true } })
    .sort({ dirtyAt: 1 })
    .toArray();
  expect(new Set(byDate.map(({ _id }) => _id))).toEqual(new Set(dirty.map(({ _id }) => _id)));
}

/** How many entries of the store `action` reads. */
async function entriesReadBy(action: () => Promise<unknown>): Promise<number> {
  let entries = 0;
  const { get, range } = Storage.prototype;
  const mocks = [
    jest.spyOn(Storage.prototype, 'get').mockImplementation(function (this: Storage, key) {
      entries += 1;
      return get.call(this, key);
    }),
    jest.spyOn(Storage.prototype, 'range').mockImplementation(function* (this: Storage, ...bounds) {
      for (const entry of range.call(this, ...bounds)) {
        entries += 1;
        yield entry;
      }
    }),
  ];
  try {
    await action();
  } finally {
    for (const mock of mocks) mock.mockRestore();
  }
  return entries;
}

test('opens 100,000 documents without reading them', async () => {
  const withServer = async (action: (client: MongoClient) => Promise<unknown>) => {
    const server = await listenDocumentStore({ directory, password: PASSWORD });
    const client = new MongoClient(server.url, PATIENT);
    try {
      await action(client);
    } finally {
      await client.close();
      await server.close();
    }
  };
  const postsOf = (client: MongoClient) =>
    client.db('large').collection<{ _id: number; author: string; at: Date; body: string }>('posts');
  const newestOf = (client: MongoClient) =>
    postsOf(client).find({ author: 'author-7' }).sort({ at: -1 }).limit(1).toArray();

  await withServer(async (client) => {
    await postsOf(client).createIndexes([{ key: { author: 1, at: -1 } }, { key: { at: 1, _id: 1 } }]);
    for (let from = 0; from < 100_000; from += 5_000) {
      await postsOf(client).insertMany(
        Array.from({ length: 5_000 }, (_, n) => ({
          _id: from + n,
          author: `author-${n % 50}`,
          at: new Date(1_700_000_000_000 + from + n),
          body: 'x'.repeat(100),
        })),
      );
    }
  });

  // The catalog, an index entry and its document: the time does not grow with the documents.
  const read = await entriesReadBy(() =>
    withServer(async (client) => expect(await newestOf(client)).toMatchObject([{ _id: 99_957 }])),
  );
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(50);

  const { client } = await openStore();
  expect(await newestOf(client)).toMatchObject([{ _id: 99_957 }]);
  expect(await postsOf(client).countDocuments({})).toBe(100_000);
}, 300_000);

describe('supervisor', () => {
  test('ends the child cleanly, and a new one starts on its data', async () => {
    for (const expected of [0, 1]) {
      const { store, client } = await openStore();
      const rows = client.db('s').collection<{ _id: number }>('rows');
      expect(await rows.countDocuments({})).toBe(expected);
      await rows.insertOne({ _id: expected });
      await client.close();
      await stopAndCheck(store);
    }
  });

  test('reports why a start failed', async () => {
    const taken = createServer();
    onTestEnd(() => taken.close());
    await new Promise<void>((resolve, reject) => {
      taken.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const { port } = taken.address() as AddressInfo;
    await expect(openStore({ port })).rejects.toThrow('EADDRINUSE');
  });

  test('the child ends with its parent', async () => {
    const supervisor = fileURLToPath(new URL('../../dist/document-store/supervisor.js', import.meta.url));
    const script = `
      import { startDocumentStore } from ${JSON.stringify(supervisor)};
      const store = await startDocumentStore({ directory: ${JSON.stringify(directory)}, password: 'secret' });
      console.log(store.pid);
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    endWithThisTest(parent);
    let output = '';
    parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const told = await until(() => /^(\d+)\n/.exec(output), { what: 'the parent to tell its child' });
    const pid = Number(told[1]);
    onTestEnd(() => isAlive(pid) && process.kill(pid, 'SIGKILL'));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid), { what: 'the end of the child' });
  });
});

async function stopAndCheck(store: DocumentStore): Promise<void> {
  const { pid } = store;
  await store.stop();
  expect(isAlive(pid)).toBe(false);
}
