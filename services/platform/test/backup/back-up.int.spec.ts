import mongoose from 'mongoose';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { backUp, forget, restore, verify } from '../../src/backup/back-up.js';
import { BackupBucket } from '../../src/backup/backup-bucket.js';
import { FileObjects } from '../../src/objects/file-objects.js';
import { aMongoDatabase } from '../../testing/databases.js';
import { onTestEnd } from '../../testing/on-test-end.js';

/** In place of age, whose mark it puts before what it takes. It decrypts only with a key file. */
const AGE = `#!/bin/sh
case $1 in
  --encrypt) [ "$2" = --recipient ] && printf 'sealed\\n' && exec cat ;;
  --decrypt) [ -r "$3" ] || { echo 'no identity' >&2; exit 1; }
    read -r mark && [ "$mark" = sealed ] && exec cat
    echo 'not sealed' >&2; exit 1 ;;
esac
`;
const RECIPIENTS = ['age1recipient'];
const NOON = new Date('2026-11-27T12:00:00Z');
const NEXT_MONTH = new Date('2026-12-01T12:00:00Z');

/** A bucket, programs in place of those that the image has, and the folder of a process. */
async function aWorld(programs: Record<string, string> = { age: AGE }) {
  const folder = await mkdtemp(join(tmpdir(), 'pulso-backup-'));
  onTestEnd(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string) => join(folder, name);
  for (const name of ['bin', 'work']) await mkdir(at(name));
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(at('bin'), name), script);
    await chmod(join(at('bin'), name), 0o755);
  }
  const path = process.env['PATH'];
  process.env['PATH'] = `${at('bin')}:/usr/bin:/bin`;
  onTestEnd(() => {
    process.env['PATH'] = path;
  });
  await writeFile(at('key'), 'private');
  const [objects, files] = [new FileObjects(at('bucket')), new FileObjects(at('files'))];
  for (const one of [objects, files]) await one.makeDirectory();
  const place = { bucket: new BackupBucket(objects), workFolder: at('work') };
  return {
    objects,
    files,
    writing: { ...place, recipients: RECIPIENTS, now: NOON },
    reading: { ...place, identity: at('key'), now: NOON },
    /** What a run has left in its folder. */
    left: () => readdir(at('work')),
    async stored() {
      const keys: string[] = [];
      for await (const { key } of objects.list('')) keys.push(key);
      return keys;
    },
  };
}

async function posts() {
  const database = aMongoDatabase('backup');
  const client = await new mongoose.mongo.MongoClient(database.url).connect();
  onTestEnd(async () => {
    await client.close();
    await database.drop();
  });
  const rows = client.db().collection<{ _id: string }>('posts');
  await rows.insertMany([{ _id: 'a' }, { _id: 'b' }]);
  return { rows, target: { service: 'posts', store: 'mongo' as const, url: database.url } };
}

describe('a backup', () => {
  it('is encrypted, has a manifest, and is restored while the present database is kept', async () => {
    const [world, { rows, target }] = [await aWorld(), await posts()];
    const made = await backUp(target, world.writing);
    expect(made).toMatchObject({ format: 1, service: 'posts', time: '20261127-120000', store: 'mongo' });
    expect(await world.stored()).toEqual([
      'databases/posts/20261127-120000/database.age',
      'databases/posts/20261127-120000/manifest.json',
    ]);
    expect(await text(world.objects.read('databases/posts/20261127-120000/database.age'))).toMatch(
      /^sealed\n/,
    );

    await rows.deleteOne({ _id: 'a' });
    expect(await verify('posts', 'latest', world.reading)).toEqual(made);
    const { kept, manifest } = await restore(target, 'latest', world.reading);
    expect(manifest).toEqual(made);
    expect(kept).toBe('before_restore_20261127_120000');
    expect(await rows.countDocuments({})).toBe(2);
    await expect(forget(target, 'posts')).rejects.toThrow('posts is not what a restore has kept');
    await forget(target, kept);
    expect(await world.left()).toEqual([]);
  });

  it('takes no name twice', async () => {
    const [world, { target }] = [await aWorld(), await posts()];
    await backUp(target, world.writing);
    await expect(backUp(target, world.writing)).rejects.toThrow('another backup began in the same second');
  });

  it.each([
    [
      'the database is away',
      { age: AGE },
      'mongodb://127.0.0.1:1/posts?serverSelectionTimeoutMS=200',
      'ECONNREFUSED',
    ],
    [
      'age fails',
      { age: '#!/bin/sh\ncat > /dev/null\necho no room >&2\nexit 2\n' },
      undefined,
      'age ended with code 2: no room',
    ],
    [
      'age ends at once',
      { age: '#!/bin/sh\necho unknown recipient >&2\nexit 1\n' },
      undefined,
      'unknown recipient',
    ],
  ])('stores nothing when %s', async (_what, programs, url, reason) => {
    const [world, { target }] = [await aWorld(programs), await posts()];
    await expect(backUp({ ...target, url: url ?? target.url }, world.writing)).rejects.toThrow(reason);
    expect(await world.stored()).toEqual([]);
    expect(await world.left()).toEqual([]);
  });

  it('stores nothing when pg_dump fails after it has written the most', async () => {
    const PG_DUMP = '#!/bin/sh\nhead -c 200000 /dev/zero\necho connection lost >&2\nexit 1\n';
    const world = await aWorld({ age: AGE, pg_dump: PG_DUMP });
    const billing = { service: 'billing', store: 'postgres' as const, url: 'postgresql://u:p@host/billing' };
    await expect(backUp(billing, world.writing)).rejects.toThrow(
      'pg_dump ended with code 1: connection lost',
    );
    expect(await world.stored()).toEqual([]);
  });

  it('is none without its manifest', async () => {
    const [world, { target }] = [await aWorld(), await posts()];
    await backUp(target, world.writing);
    await world.objects.remove('databases/posts/20261127-120000/manifest.json');
    await expect(verify('posts', '20261127-120000', world.reading)).rejects.toThrow(
      'posts has no backup 20261127-120000',
    );
  });

  it.each([
    ['is damaged', 'sealed\nanything', 'is damaged'],
    ['is shorter', 'sealed\n', 'is damaged: it has 7 bytes'],
  ])('that %s is refused before anything is read of it', async (_what, bytes, reason) => {
    const [world, { rows, target }] = [await aWorld(), await posts()];
    await backUp(target, world.writing);
    await world.objects.put('databases/posts/20261127-120000/database.age', Buffer.from(bytes));
    await expect(verify('posts', 'latest', world.reading)).rejects.toThrow(reason);
    await expect(restore(target, 'latest', world.reading)).rejects.toThrow(reason);
    expect(await rows.countDocuments({})).toBe(2);
  });

  it('is not read without the private key', async () => {
    const [world, { target }] = [await aWorld(), await posts()];
    await backUp(target, world.writing);
    const without = { ...world.reading, identity: '/nowhere' };
    await expect(restore(target, 'latest', without)).rejects.toThrow('age ended with code 1: no identity');
  });
});

describe('the files of a service', () => {
  const folder = 'files/media/2026-11';

  it('are copied once, and again with the first backup of a month', async () => {
    const [world, { target }] = [await aWorld(), await posts()];
    const media = { ...target, service: 'media' };
    for (const key of ['images/a/large.webp', 'images/a/small.webp', 'images/b.webp'])
      await world.files.put(key, Buffer.from(key));
    const first = await backUp(media, { ...world.writing, objects: world.files });
    expect(first.files).toEqual({ month: '2026-11', count: 3, added: 3 });
    await world.files.put('images/a1.webp', Buffer.from('new'));
    await world.files.remove('images/b.webp');
    const later = { ...world.writing, objects: world.files, now: new Date('2026-11-28T12:00:00Z') };
    expect((await backUp(media, later)).files).toEqual({ month: '2026-11', count: 3, added: 1 });
    const nextMonth = { ...later, now: NEXT_MONTH };
    expect((await backUp(media, nextMonth)).files).toEqual({ month: '2026-12', count: 3, added: 3 });
    expect(await text(world.objects.read(`${folder}/images/b.webp`))).toBe('sealed\nimages/b.webp');
  });

  it('are left out where they can be made again', async () => {
    const [world, { target }] = [await aWorld(), await posts()];
    const media = { ...target, service: 'media' };
    for (const key of ['archives/a/b', 'archives.webp', 'images/a.webp'])
      await world.files.put(key, Buffer.from(key));
    const made = await backUp(media, { ...world.writing, objects: world.files, leftOut: ['archives/'] });
    expect(made.files).toMatchObject({ count: 2, added: 2 });
    expect(await world.objects.sizeOf(`${folder}/archives/a/b`)).toBeUndefined();
    // One that is there is no reason to miss the others.
    await world.files.remove('images/a.webp');
    const { filesReturned } = await restore(media, 'latest', { ...world.reading, objects: world.files });
    expect(filesReturned).toBe(1);
  });

  it('come back where they are missing', async () => {
    const [world, { target }] = [await aWorld(), await posts()];
    const media = { ...target, service: 'media' };
    for (const key of ['images/a.webp', 'images/b.webp', 'images/c.webp'])
      await world.files.put(key, Buffer.from(key));
    await backUp(media, { ...world.writing, objects: world.files });
    await world.files.remove('images/a.webp');
    await world.files.remove('images/c.webp');
    const { filesReturned } = await restore(media, 'latest', { ...world.reading, objects: world.files });
    expect(filesReturned).toBe(2);
    expect(await text(world.files.read('images/c.webp'))).toBe('images/c.webp');
  });
});
