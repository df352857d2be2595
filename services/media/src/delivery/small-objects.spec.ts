import type { ObjectStore } from '@pulso/platform/objects/object-store';
import { Readable } from 'node:stream';
import { SmallObjects } from './small-objects.js';

// Rule: MEDIA-20
describe('small files in memory', () => {
  const reads: string[] = [];
  const objects = {
    read(key: string) {
      reads.push(key);
      return key === 'gone' ? Readable.from(fails()) : Readable.from([Buffer.from(key), Buffer.alloc(9)]);
    },
  } as unknown as ObjectStore;
  // eslint-disable-next-line require-yield
  async function* fails(): AsyncGenerator<Buffer> {
    throw new Error('no such object');
  }
  let files: SmallObjects;
  beforeEach(() => {
    reads.length = 0;
    files = new SmallObjects(objects, 30);
  });

  it('are read once, also when they are asked for at once', async () => {
    expect(files.get('a')).toBeUndefined();
    const [first, second] = await Promise.all([files.read('a', 10), files.read('a', 10)]);
    expect(first).toEqual(Buffer.concat([Buffer.from('a'), Buffer.alloc(9)]));
    expect(second).toEqual(first);
    expect(await files.read('a', 10)).toEqual(first);
    expect(files.get('a')).toEqual(first);
    expect(reads).toEqual(['a']);
  });

  it('make room for newer ones, those first that nobody has asked for', async () => {
    for (const key of ['a', 'b', 'c']) await files.read(key, 10);
    files.get('a');
    await files.read('d', 10);
    expect(['a', 'b', 'c', 'd'].map((key) => files.get(key) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
    await files.read('b', 10);
    expect(['a', 'c', 'd'].filter((key) => files.get(key))).toEqual(['c', 'd']);
  });

  it('are none that are large, and none that cannot be read', async () => {
    expect(await files.read('large', 65_537)).toBeUndefined();
    expect(reads).toEqual([]);
    await expect(files.read('gone', 10)).rejects.toThrow('no such object');
    expect(files.get('gone')).toBeUndefined();
  });
});
