import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Collection, MongoClient } from 'mongodb';
import { listenDocumentStore } from '../../src/document-store/server.js';
import { type DocumentStore, startDocumentStore } from '../../src/document-store/supervisor.js';
import { PASSWORD, temporaryDirectory } from './store-under-test.js';

/** `DOCUMENT_STORE_KILLS=50` for a long run. */
const KILLS = Number(process.env['DOCUMENT_STORE_KILLS'] ?? 4);
const WRITERS = 8;
const GROUPS = 5;

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

test(
  'kill -9 during parallel writes loses no acknowledged write and keeps indexes consistent',
  async () => {
    const exits: string[] = [];
    const store = await startDocumentStore({
      directory,
      password: PASSWORD,
      onExit: (description) => exits.push(description),
    });
    const client = await MongoClient.connect(store.url, { serverSelectionTimeoutMS: 20_000 });
    try {
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
      for (let round = 0; round < KILLS; round++) {
        const writers = Array.from({ length: WRITERS }, (_, writer) => write(rows, ledger, round, writer));
        await delay(60 + Math.random() * 250);
        const killed = store.pid;
        process.kill(killed, 'SIGKILL');
        ledger.killed.add(round);
        await Promise.all(writers);
        await client.db('crash').command({ ping: 1 });
        expect(store.pid).not.toBe(killed);
        await verify(rows, ledger);
      }
      expect(exits).toHaveLength(KILLS);
      expect(ledger.inserted.size).toBeGreaterThan(KILLS * WRITERS);
    } finally {
      await client.close();
      await store.stop();
    }
  },
  60_000 + KILLS * 10_000,
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
  return (
    error instanceof Error &&
    /^Mongo(Network|PoolCleared|ServerSelection|BulkWrite)/.test(error.name) &&
    (error as { code?: number }).code === undefined
  );
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

test('reopens 100,000 documents at once', async () => {
  const first = await listenDocumentStore({ directory, password: PASSWORD });
  const writer = await MongoClient.connect(first.url);
  const documents = writer
    .db('large')
    .collection<{ _id: number; author: string; at: Date; body: string }>('posts');
  await documents.createIndexes([{ key: { author: 1, at: -1 } }, { key: { at: 1, _id: 1 } }]);
  for (let from = 0; from < 100_000; from += 5_000) {
    await documents.insertMany(
      Array.from({ length: 5_000 }, (_, n) => ({
        _id: from + n,
        author: `author-${n % 50}`,
        at: new Date(1_700_000_000_000 + from + n),
        body: 'x'.repeat(100),
      })),
    );
  }
  await writer.close();
  await first.close();

  const before = performance.now();
  const store = await startDocumentStore({ directory, password: PASSWORD });
  const client = await MongoClient.connect(store.url);
  try {
    const posts = client.db('large').collection<{ _id: number }>('posts');
    const newest = await posts.find({ author: 'author-7' }).sort({ at: -1 }).limit(1).toArray();
    const took = performance.now() - before;
    process.stdout.write(
      `document store: child started, 100,000 documents open, first query: ${took.toFixed(0)} ms\n`,
    );
    expect(newest).toMatchObject([{ _id: 99_957 }]);
    expect(await posts.countDocuments({})).toBe(100_000);
    expect(took).toBeLessThan(5_000);
  } finally {
    await client.close();
    await store.stop();
  }
}, 300_000);

describe('supervisor', () => {
  test('ends the child cleanly, and a new one starts on its data', async () => {
    for (const expected of [0, 1]) {
      const store = await startDocumentStore({ directory, password: PASSWORD });
      const client = await MongoClient.connect(store.url);
      const rows = client.db('s').collection<{ _id: number }>('rows');
      expect(await rows.countDocuments({})).toBe(expected);
      await rows.insertOne({ _id: expected });
      await client.close();
      await stopAndCheck(store);
    }
  });

  test('reports why a start failed', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expect(startDocumentStore({ directory, password: PASSWORD, port })).rejects.toThrow('EADDRINUSE');
    taken.close();
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
    const [chunk] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(chunk.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    const limit = Date.now() + 10_000;
    while (isAlive(pid) && Date.now() < limit) await delay(20);
    expect(isAlive(pid)).toBe(false);
  });
});

async function stopAndCheck(store: DocumentStore): Promise<void> {
  const { pid } = store;
  await store.stop();
  expect(isAlive(pid)).toBe(false);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
