import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { archiveZip, type Member } from './archive-zip.js';

// A worker of its own would outlive the test.
configure({ useWebWorkers: false });

const MODIFIED = Date.UTC(2026, 10, 28, 12);
const member = (name: string, bytes: Buffer, size = bytes.length): Member => ({
  ...{ name, size, modifiedAt: MODIFIED },
  open: () => Readable.from(bytes.length === 0 ? [] : [bytes]),
});
const asGiven = async function* (members: readonly Member[]): AsyncGenerator<Member> {
  for (const one of members) yield await Promise.resolve(one);
};
const zipOf = (...members: Member[]) => archiveZip(asGiven(members));

// Rule: ACCT-45
describe('the zip of an archive', () => {
  it('has its members in their order, none compressed', async () => {
    const large = Buffer.alloc(3_000_000, 'the same again and again');
    const given = [member('README.txt', Buffer.from('ä')), member('media/a.jpg', large)];
    const zip = await buffer(Readable.from(zipOf(...given, member('empty', Buffer.alloc(0)))));
    const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(zip)), { checkCrc32: true });
    const read: [string, Buffer][] = [];
    for (const entry of await reader.getEntries()) {
      if (entry.directory) throw new Error(`${entry.filename} is a folder`);
      expect([entry.compressionMethod, entry.compressedSize]).toEqual([0, entry.uncompressedSize]);
      expect(entry.lastModDate.getTime()).toBe(MODIFIED);
      read.push([entry.filename, Buffer.from(await entry.getData(new Uint8ArrayWriter()))]);
    }
    expect(read.map(([name]) => name)).toEqual(['README.txt', 'media/a.jpg', 'empty']);
    expect(read[0]![1].toString()).toBe('ä');
    expect(read[1]![1].equals(large)).toBe(true);
  });

  it('fails with the error of a file that cannot be read', async () => {
    const failure = new Error('the store is away');
    const broken = Readable.from(
      (async function* () {
        yield await Promise.resolve(Buffer.from('some'));
        throw failure;
      })(),
    );
    const broke = { name: 'media/a.jpg', size: 9, modifiedAt: MODIFIED, open: () => broken };
    await expect(buffer(Readable.from(zipOf(broke, member('b', Buffer.from('b')))))).rejects.toBe(failure);
  });

  it('fails with the error of what lists its members', async () => {
    const failure = new Error('the database is away');
    const listing = async function* () {
      yield await Promise.resolve(member('a', Buffer.from('a')));
      throw failure;
    };
    await expect(buffer(Readable.from(archiveZip(listing())))).rejects.toBe(failure);
  });

  it.each([3, 5])('fails where a file has not the %i bytes that it should', async (size) => {
    await expect(buffer(Readable.from(zipOf(member('a', Buffer.from('four'), size))))).rejects.toThrow(
      'unexpected number of bytes',
    );
  });

  it('closes what it reads when its reader leaves', async () => {
    const endless = Readable.from(
      (async function* () {
        for (;;) yield await Promise.resolve(Buffer.alloc(64 * 1024));
      })(),
    );
    const zip = zipOf({ name: 'a', size: 1e12, modifiedAt: MODIFIED, open: () => endless });
    let taken = 0;
    for await (const chunk of zip) if ((taken += chunk.length) > 1_000_000) break;
    expect(endless.destroyed).toBe(true);
  });
});
