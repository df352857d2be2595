import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjects } from './file-objects.js';

describe('objects as files', () => {
  let directory: string;
  let objects: FileObjects;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pulso-objects-'));
    objects = new FileObjects(join(directory, 'objects'));
    await objects.makeDirectory();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  const incoming = () => readdir(join(directory, 'objects', '.incoming'));

  it('leave nothing but themselves', async () => {
    await objects.put('a/b.jpg', Buffer.from('0123456789'));
    expect(await incoming()).toEqual([]);
    expect(await readdir(join(directory, 'objects', 'a'))).toEqual(['b.jpg']);
  });

  it('are not taken for missing where their directory is not there, and it is not made again', async () => {
    await objects.put('a', Buffer.from('a'));
    expect(await objects.sizeOf('b')).toBeUndefined();
    await rename(join(directory, 'objects'), join(directory, 'elsewhere'));
    const calls: (() => Promise<unknown>)[] = [
      ...[() => objects.ping(), () => objects.put('b', Buffer.from('b')), () => objects.sizeOf('a')],
      ...[() => objects.list('').next(), () => objects.remove('a'), () => objects.removeLeftovers(0)],
    ];
    const refuses = async () => {
      for (const call of calls) await expect(call()).rejects.toMatchObject({ name: 'ObjectStoreError' });
    };
    await refuses();
    // As the empty place where a disk is to be.
    await mkdir(join(directory, 'objects'));
    await refuses();
    expect(await readdir(join(directory, 'objects'))).toEqual([]);
    await rm(join(directory, 'objects'), { recursive: true });
    await rename(join(directory, 'elsewhere'), join(directory, 'objects'));
    expect(await objects.sizeOf('a')).toBe(1);
  });

  it("and their folders are their owner's alone", async () => {
    await objects.put('a/b/c.jpg', Buffer.from('c'));
    for (const path of ['', '.incoming', 'a', 'a/b', 'a/b/c.jpg']) {
      expect([path, (await stat(join(directory, 'objects', path))).mode & 0o077]).toEqual([path, 0]);
    }
  });

  it('leave nothing of an object that could not be stored', async () => {
    await objects.put('a/b/c', Buffer.from('c'));
    await expect(objects.put('a/b', Buffer.from('b'))).rejects.toMatchObject({ name: 'ObjectStoreError' });
    expect(await incoming()).toEqual([]);
  });

  it('remove what killed processes have left, and nothing younger', async () => {
    await objects.put('a', Buffer.from('a'));
    for (const name of ['old', 'young']) await writeFile(join(directory, 'objects/.incoming', name), 'half');
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(directory, 'objects/.incoming/old'), hourAgo, hourAgo);
    await objects.removeLeftovers(600_000);
    expect(await incoming()).toEqual(['young']);
    expect(await objects.sizeOf('a')).toBe(1);
  });

  it('take a folder of their own with them, and none that others share', async () => {
    const folders = async (path: string) => (await readdir(join(directory, 'objects', path))).sort();
    for (const key of ['a/b/c/d', 'a/b/c/e', 'a/f/g']) await objects.put(key, Buffer.from('x'));
    await objects.remove('a/b/c/d');
    expect(await folders('a/b')).toEqual(['c']);
    await objects.remove('a/b/c/e');
    await objects.remove('a/b/c/e');
    await objects.remove('a/f/g');
    expect([await folders('a'), await folders('a/b'), await folders('a/f')]).toEqual([['b', 'f'], [], []]);
  });

  it('are stored while their folder is removed', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `a/b/c/${index}`);
    await Promise.all(
      keys.map(async (key, index) => {
        await objects.put(key, Buffer.from('x'));
        if (index % 2 === 0) await objects.remove(key);
      }),
    );
    const left = [];
    for await (const { key } of objects.list('')) left.push(key);
    expect(left.sort()).toEqual(keys.filter((_, index) => index % 2 === 1).sort());
  });

  it('say when nothing can be stored', async () => {
    await objects.ping();
    await writeFile(join(directory, 'file'), '');
    const none = new FileObjects(join(directory, 'file'));
    await expect(none.makeDirectory()).rejects.toThrow('ENOTDIR');
    await expect(none.ping()).rejects.toThrow('ENOTDIR');
  });
});
