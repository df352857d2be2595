import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { listenDocumentStore } from '../../src/document-store/server.js';
import { startDocumentStore } from '../../src/document-store/supervisor.js';
import { failureOf, PASSWORD, temporaryDirectory } from './store-under-test.js';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('access to the store', () => {
  const withUser = (url: string, user: string, password: string, options = ''): string => {
    const named = new URL(url);
    named.username = user;
    named.password = password;
    return `${named.toString()}${options}`;
  };

  test('requires the password', async () => {
    const server = await listenDocumentStore({ directory, password: PASSWORD });
    const ask = async (url: string): Promise<unknown> => {
      const client = new MongoClient(url);
      try {
        return await client.db('d').collection('rows').countDocuments({});
      } finally {
        await client.close();
      }
    };
    const { url } = server;
    try {
      expect(await ask(url)).toBe(0);
      expect(await ask(withUser(url, 'pulso', PASSWORD, '&authMechanism=SCRAM-SHA-256'))).toBe(0);
      for (const [user, password, options, code] of [
        ['', '', '', 13],
        ['pulso', 'a wrong password', '', 18],
        ['root', PASSWORD, '', 18],
        ['pulso', PASSWORD, '&authMechanism=SCRAM-SHA-1', 18],
      ] as const) {
        const refused = await failureOf(ask(withUser(url, user, password, options)));
        expect([user, password, options, refused.code]).toEqual([user, password, options, code]);
      }
    } finally {
      await server.close();
    }
  });

  test('further users have passwords of their own', async () => {
    const users = { posts: 'of posts', messaging: 'of messaging' };
    const server = await listenDocumentStore({ directory, password: PASSWORD, users });
    const ping = async (user: string, password: string): Promise<unknown> => {
      const client = new MongoClient(withUser(server.url, user, password));
      try {
        return await client.db('d').command({ ping: 1 });
      } finally {
        await client.close();
      }
    };
    try {
      for (const [user, password] of [['pulso', PASSWORD], ...Object.entries(users)] as const)
        expect(await ping(user, password)).toMatchObject({ ok: 1 });
      for (const [user, password] of [
        ['posts', 'of messaging'],
        ['posts', PASSWORD],
        ['pulso', 'of posts'],
      ] as const)
        expect(await failureOf(ping(user, password))).toMatchObject({ code: 18 });
    } finally {
      await server.close();
    }
  });

  test('only hello and the login are served before authentication, and no step of the login can be skipped', async () => {
    const server = await listenDocumentStore({ directory, password: PASSWORD });
    const client = new MongoClient(withUser(server.url, '', ''), { maxPoolSize: 1 });
    const db = client.db('admin');
    try {
      await client.connect();
      for (const command of [
        { ping: 1 },
        { find: 'rows' },
        { insert: 'rows', documents: [{ a: 1 }] },
        { dropDatabase: 1 },
        { getMore: 1n, collection: 'rows' },
      ]) {
        expect(await failureOf(db.command(command))).toMatchObject({ code: 13, codeName: 'Unauthorized' });
      }
      const saslContinue = (payload: string): Promise<unknown> =>
        db.command({ saslContinue: 1, conversationId: 1, payload: Buffer.from(payload) });
      const saslStart = (payload: string): Promise<unknown> =>
        db.command({ saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: Buffer.from(payload) });
      const proof = Buffer.alloc(32).toString('base64');
      expect(await failureOf(saslContinue(`c=biws,r=abc,p=${proof}`))).toMatchObject({ code: 18 });
      const started = (await saslStart('n,,n=pulso,r=abc')) as { payload: { buffer: Uint8Array } };
      const nonce = /^r=([^,]+),/.exec(Buffer.from(started.payload.buffer).toString())![1]!;
      expect(nonce).toMatch(/^abc.{32}/);
      for (const message of [
        `c=biws,r=${nonce},p=${proof}`,
        `c=biws,r=${nonce},p=`,
        `c=biws,r=,p=${proof}`,
        '',
      ]) {
        await saslStart('n,,n=pulso,r=abc');
        expect(await failureOf(saslContinue(message))).toMatchObject({ code: 18 });
      }
      for (const message of [
        '',
        'n,,n=pulso',
        'y,,n=pulso,r=abc',
        'n,a=root,n=pulso,r=abc',
        'n,,n=pulso,r=',
      ]) {
        expect(await failureOf(saslStart(message))).toMatchObject({ code: 18 });
      }
      expect(await failureOf(db.command({ ping: 1 }))).toMatchObject({ code: 13 });
    } finally {
      await client.close();
      await server.close();
    }
  });
});

test('only the owner can read the files, also when an earlier version created the folder', async () => {
  chmodSync(directory, 0o755);
  const store = await startDocumentStore({ directory, password: PASSWORD });
  try {
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const files = readdirSync(directory);
    expect(files).toEqual(expect.arrayContaining(['data.mdb', 'lock.mdb']));
    for (const file of files) expect(statSync(join(directory, file)).mode & 0o077).toBe(0);
  } finally {
    await store.stop();
  }
});

test('an almost full disk refuses growing writes, serves reads and allows deletions', async () => {
  const first = await listenDocumentStore({ directory, password: PASSWORD });
  const writer = new MongoClient(first.url);
  try {
    const rows = writer.db('d').collection<{ _id: number }>('rows');
    await rows.createIndex({ tags: 1 });
    await rows.insertMany([{ _id: 1 }, { _id: 2 }]);
  } finally {
    await writer.close();
    await first.close();
  }

  const server = await listenDocumentStore({
    directory,
    password: PASSWORD,
    reserveBytes: Number.MAX_SAFE_INTEGER,
  });
  const client = new MongoClient(server.url);
  const rows = client.db('d').collection<{ _id: number; tags?: string[] }>('rows');
  try {
    const full = { code: 14031 };
    expect(await failureOf(rows.insertOne({ _id: 3 }))).toMatchObject(full);
    expect(await failureOf(rows.insertMany([{ _id: 3 }, { _id: 4 }], { ordered: false }))).toMatchObject({
      ...full,
      insertedCount: 0,
    });
    expect(await failureOf(rows.updateOne({ _id: 1 }, { $set: { tags: ['a', 'b'] } }))).toMatchObject(full);
    expect(await failureOf(rows.createIndex({ other: 1 }))).toMatchObject({
      ...full,
      codeName: 'OutOfDiskSpace',
    });
    expect(await failureOf(client.db('d').collection('fresh').insertOne({}))).toMatchObject(full);
    expect(await rows.find({}).sort({ _id: 1 }).toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
    expect((await rows.listIndexes().toArray()).map(({ name }) => name as string)).toEqual([
      '_id_',
      'tags_1',
    ]);
    expect((await rows.deleteOne({ _id: 1 })).deletedCount).toBe(1);
    expect(await rows.countDocuments({})).toBe(1);
    await client.db('d').dropDatabase();
    expect(await rows.countDocuments({})).toBe(0);
  } finally {
    await client.close();
    await server.close();
  }
});

test('a store is not created on an almost full disk, which would end the process', async () => {
  const full = { directory, password: PASSWORD, reserveBytes: Number.MAX_SAFE_INTEGER };
  await expect(listenDocumentStore(full)).rejects.toThrow(`the disk of ${directory} is full`);
  const { close } = await listenDocumentStore({ directory, password: PASSWORD });
  await close();
});
