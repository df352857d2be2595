import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FileObjects } from './file-objects.js';

describe('objects as files', () => {
  let directory: string;
  let objects: FileObjects;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pulso-objects-'));
    objects = new FileObjects(join(directory, 'objects'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  const incoming = () => readdir(join(directory, 'objects', '.incoming'));

  it('keep what was stored, whole or in part, until it is removed', async () => {
    await objects.put('a/b.jpg', Buffer.from('0123456789'));
    expect(await incoming()).toEqual([]);
    expect(await objects.sizeOf('a/b.jpg')).toBe(10);
    expect((await buffer(objects.read('a/b.jpg'))).toString()).toBe('0123456789');
    expect((await buffer(objects.read('a/b.jpg', { start: 2, end: 4 }))).toString()).toBe('234');
    await objects.remove('a/b.jpg');
    await objects.remove('a/b.jpg');
    expect(await objects.sizeOf('a/b.jpg')).toBeUndefined();
    await expect(buffer(objects.read('a/b.jpg'))).rejects.toThrow('ENOENT');
  });

  it('never leave their directory', async () => {
    for (const key of ['../b', '/b', 'a//b', '.incoming/b', 'a/../b', '']) {
      await expect(objects.put(key, Buffer.from('b'))).rejects.toThrow('not the key of an object');
    }
  });

  it("and their folders are their owner's alone", async () => {
    await objects.ping();
    await objects.put('a/b/c.jpg', Buffer.from('c'));
    for (const path of ['', '.incoming', 'a', 'a/b', 'a/b/c.jpg']) {
      expect([path, (await stat(join(directory, 'objects', path))).mode & 0o077]).toEqual([path, 0]);
    }
  });

  it('leave nothing of an object that could not be stored', async () => {
    await objects.put('a/b/c', Buffer.from('c'));
    await expect(objects.put('a/b', Buffer.from('b'))).rejects.toThrow();
    expect(await incoming()).toEqual([]);
  });

  it('remove what killed processes have left, and nothing younger', async () => {
    await objects.removeLeftovers(0);
    await objects.put('a', Buffer.from('a'));
    for (const name of ['old', 'young']) await writeFile(join(directory, 'objects/.incoming', name), 'half');
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(directory, 'objects/.incoming/old'), hourAgo, hourAgo);
    await objects.removeLeftovers(600_000);
    expect(await incoming()).toEqual(['young']);
    expect(await objects.sizeOf('a')).toBe(1);
  });

  it('say when nothing can be stored', async () => {
    await objects.ping();
    await writeFile(join(directory, 'file'), '');
    await expect(new FileObjects(join(directory, 'file')).ping()).rejects.toThrow('EEXIST');
  });
});
