import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FileObjects } from '../../src/objects/file-objects.js';
import type { ObjectStore } from '../../src/objects/object-store.js';
import type { S3Options } from '../../src/objects/s3-objects.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { TestBucket } from '../../testing/s3-bucket.js';
import { damagingProxy } from './damaging-proxy.js';

const s3Url = process.env.PULSO_TEST_S3_URL;

/** A new bucket that is removed when the test ends. */
async function aBucket(options?: Partial<S3Options>): Promise<TestBucket> {
  const objects = new TestBucket(s3Url!, `test-${randomUUID()}`, options);
  await objects.createBucket();
  onTestEnd(() => objects.removeBucket());
  return objects;
}

const adapters: Record<string, () => Promise<ObjectStore>> = {
  'as files': async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pulso-objects-'));
    onTestEnd(() => rm(directory, { recursive: true, force: true }));
    const objects = new FileObjects(directory);
    await objects.makeDirectory();
    return objects;
  },
};
// Pages of 3, so that a listing has several.
if (s3Url) adapters['in S3'] = async () => aBucket({ page: 3 });

const SECOND = 1_000;

async function listed(objects: ObjectStore, prefix: string) {
  const found = [];
  for await (const object of objects.list(prefix)) found.push(object);
  return found;
}

async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 70_001)
    yield await Promise.resolve(bytes.subarray(from, from + 70_001));
}

const text = async (objects: ObjectStore, key: string, range?: { start: number; end: number }) =>
  (await buffer(objects.read(key, range))).toString();

describe.each(Object.entries(adapters))('objects %s', (_name, open) => {
  let objects: ObjectStore;
  beforeEach(async () => {
    objects = await open();
  });

  it('are kept as they were stored until they are removed', async () => {
    await objects.ping();
    await objects.put('a/b.jpg', Buffer.from('0123456789'));
    expect(await objects.sizeOf('a/b.jpg')).toBe(10);
    expect(await text(objects, 'a/b.jpg')).toBe('0123456789');
    await objects.remove('a/b.jpg');
    await objects.remove('a/b.jpg');
    expect(await objects.sizeOf('a/b.jpg')).toBeUndefined();
  });

  it('are read in part', async () => {
    await objects.put('a', Buffer.from('0123456789'));
    expect(await text(objects, 'a', { start: 2, end: 4 })).toBe('234');
    expect(await text(objects, 'a', { start: 0, end: 0 })).toBe('0');
    expect(await text(objects, 'a', { start: 9, end: 9 })).toBe('9');
    expect(await text(objects, 'a', { start: 0, end: 9 })).toBe('0123456789');
  });

  it('may be files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pulso-file-'));
    onTestEnd(() => rm(folder, { recursive: true, force: true }));
    const bytes = randomBytes(300_000);
    await writeFile(join(folder, 'file'), bytes);
    await objects.put('a/b', Buffer.from('before'));
    await objects.putFile('a/b', join(folder, 'file'));
    expect((await buffer(objects.read('a/b'))).equals(bytes)).toBe(true);
    await expect(objects.putFile('a/none', join(folder, 'none'))).rejects.toThrow('ENOENT');
    expect((await listed(objects, '')).map(({ key }) => key)).toEqual(['a/b']);
  });

  it('may be large, and empty, and stored twice', async () => {
    const large = randomBytes(3_000_000);
    for (let time = 0; time < 2; time += 1) await objects.put('large', large);
    expect((await buffer(objects.read('large'))).equals(large)).toBe(true);
    // A part of a larger buffer, as pools hand out.
    await objects.put('part', new Uint8Array(large.buffer, large.byteOffset + 5, 7));
    expect((await buffer(objects.read('part'))).equals(large.subarray(5, 12))).toBe(true);
    await objects.put('empty', Buffer.alloc(0));
    expect([await objects.sizeOf('empty'), await text(objects, 'empty')]).toEqual([0, '']);
  });

  it.each([0, 5, 8 * 1024 * 1024, 20_000_000])('are stored as %i bytes come', async (size) => {
    const bytes = randomBytes(size);
    await objects.putStream('a/stream', inChunks(bytes));
    expect((await buffer(objects.read('a/stream'))).equals(bytes)).toBe(true);
  });

  it.each([3, 20_000_000])('are not stored where their source fails after %i bytes', async (size) => {
    const failure = new Error('the source has failed');
    async function* cut() {
      yield* inChunks(randomBytes(size));
      throw failure;
    }
    await expect(objects.putStream('a/cut', cut())).rejects.toBe(failure);
    expect(await listed(objects, '')).toEqual([]);
  });

  it('fail to be read where there are none', async () => {
    await objects.put('a', Buffer.from('a'));
    await objects.remove('a');
    await expect(text(objects, 'a')).rejects.toThrow(/ENOENT|key does not exist|Not Found/i);
    await expect(text(objects, 'never')).rejects.toThrow();
  });

  it.each(['../b', '/b', 'a//b', '.incoming/b', 'a/../b', 'A', 'a b', ''])('have no key %j', async (key) => {
    await expect(objects.put(key, Buffer.from('b'))).rejects.toThrow('not the key of an object');
    await expect(objects.sizeOf(key)).rejects.toThrow('not the key of an object');
    await expect(objects.remove(key)).rejects.toThrow('not the key of an object');
    expect(() => objects.read(key)).toThrow('not the key of an object');
  });

  it('are listed in the order of their keys, with size and time', async () => {
    const before = Date.now();
    const keys = ['b/z', 'a/x-1', 'a/x.2', 'a/x/1', 'a/x/0', 'ab', 'a/y', 'b/a'];
    await Promise.all(keys.map((key, index) => objects.put(key, Buffer.alloc(index))));
    const all = await listed(objects, '');
    expect(all.map(({ key }) => key)).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(all.map(({ key, size }) => keys[size] === key)).not.toContain(false);
    for (const { modifiedAt } of all) {
      // Stores round to seconds.
      expect(modifiedAt).toBeGreaterThanOrEqual(before - SECOND);
      expect(modifiedAt).toBeLessThanOrEqual(Date.now() + SECOND);
    }
    expect((await listed(objects, 'a/')).map(({ key }) => key)).toEqual([
      ...['a/x-1', 'a/x.2', 'a/x/0', 'a/x/1', 'a/y'],
    ]);
    expect(await listed(objects, 'c/')).toEqual([]);
    // A reader that has enough leaves.
    for await (const { key } of objects.list('b/')) {
      expect(key).toBe('b/a');
      break;
    }
  });

  it('are stored and removed by many at once', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `k/${index}`);
    await Promise.all(keys.map((key) => objects.put(key, Buffer.from(key))));
    expect(await Promise.all(keys.map((key) => text(objects, key)))).toEqual(keys);
    await Promise.all(keys.map((key) => objects.remove(key)));
    expect(await listed(objects, 'k/')).toEqual([]);
  });
});

function bucketSuite(server: string) {
  it('is made once, and nobody reads it without a key', async () => {
    const objects = new TestBucket(server, `made-${randomUUID()}`);
    await expect(objects.ping()).rejects.toThrow(/there is no bucket made-.*migrate makes it/);
    expect([await objects.createBucket(), await objects.createBucket()]).toEqual([true, false]);
    onTestEnd(() => objects.removeBucket());
    await objects.ping();
    await objects.put('a', Buffer.from('a'));
    for (const path of ['', '/', '/a', '?list-type=2'])
      expect([path, (await fetch(objects.address + path)).status]).toEqual([path, 403]);
  });

  it('that is missing is not a missing object', async () => {
    const objects = new TestBucket(server, `gone-${randomUUID()}`);
    const inTrouble = { name: 'ObjectStoreError' };
    await expect(objects.sizeOf('a')).rejects.toMatchObject(inTrouble);
    await expect(objects.put('a', Buffer.from('a'))).rejects.toMatchObject(inTrouble);
    await expect(listed(objects, '')).rejects.toMatchObject(inTrouble);
    await expect(text(objects, 'a')).rejects.toMatchObject(inTrouble);
  });

  it('stores no body that was damaged on its way', async () => {
    const objects = await aBucket();
    const proxy = await damagingProxy(server);
    onTestEnd(() => proxy.stop());
    const damaged = new TestBucket(proxy.url, objects.bucket);
    const bytes = Buffer.from(`a marked body of ${'0'.repeat(5_000)}`);
    await damaged.put('whole', Buffer.from('nothing is damaged'));
    await expect(damaged.put('a', bytes)).rejects.toMatchObject({ name: 'ObjectStoreError' });
    expect(proxy.damaged).toBe(1);
    expect(await objects.sizeOf('a')).toBeUndefined();
    expect(await objects.sizeOf('whole')).toBe(18);
  });

  it('refuses a wrong secret, which no message holds', async () => {
    const { bucket } = await aBucket();
    const wrong = new URL(server);
    wrong.password = 'hush-hush';
    const objects = new TestBucket(wrong.href, bucket);
    const refused = await objects.put('a', Buffer.from('a')).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: 'ObjectStoreError' });
    expect(String(refused)).not.toContain('hush-hush');
  });

  it.each([
    ['one request', 1_000],
    ['several parts', 70 * 1024 * 1024],
  ])('takes a file in %s', async (_way, size) => {
    const objects = await aBucket();
    const folder = await mkdtemp(join(tmpdir(), 'pulso-file-'));
    onTestEnd(() => rm(folder, { recursive: true, force: true }));
    const bytes = randomBytes(size);
    await writeFile(join(folder, 'file'), bytes);
    await objects.putFile('a/file.age', join(folder, 'file'));
    expect(await objects.sizeOf('a/file.age')).toBe(size);
    expect((await buffer(objects.read('a/file.age'))).equals(bytes)).toBe(true);
  });
}

if (s3Url) describe('a bucket', () => bucketSuite(s3Url));
