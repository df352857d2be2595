import mongoose from 'mongoose';
import { buffer } from 'node:stream/consumers';
import { preludeOf, segmentOf } from './archive.js';
import { type ArchivePart, readArchive } from './read-archive.js';

const { BSON } = mongoose.mongo;
const INDEXES = [{ v: 2, key: { _id: 1 }, name: '_id_' }];

async function* listed<T>(items: readonly T[]) {
  yield* items;
}

async function archiveOf(collections: Record<string, object[]>): Promise<Buffer> {
  const names = Object.keys(collections);
  const prelude = preludeOf(
    'posts',
    names.map((name) => ({ name, indexes: INDEXES })),
    '7.0.0',
  );
  const segments = names.map((name) =>
    buffer(segmentOf('posts', name, listed(collections[name]!.map((one) => BSON.serialize(one))))),
  );
  return Buffer.concat([prelude, ...(await Promise.all(segments))]);
}

/** In pieces of some bytes, as a pipe gives them. */
async function read(archive: Buffer, piece = archive.length): Promise<ArchivePart[]> {
  async function* pieces() {
    for (let at = 0; at < archive.length; at += piece) yield archive.subarray(at, at + piece);
  }
  const parts: ArchivePart[] = [];
  for await (const part of readArchive(pieces())) parts.push(part);
  return parts;
}

const TWO = {
  comments: [],
  posts: [
    { _id: 'a', n: 1 },
    { _id: 'b', text: 'sets' },
  ],
};

describe('an archive of documents', () => {
  it.each([1, 7, 4_096])('is read as it was written, in pieces of %i bytes', async (piece) => {
    const [prelude, ...documents] = await read(await archiveOf(TWO), piece);
    expect(prelude).toEqual({
      collections: [
        { name: 'comments', indexes: INDEXES },
        { name: 'posts', indexes: INDEXES },
      ],
    });
    const shown = documents.map((part) =>
      'document' in part ? [part.collection, BSON.deserialize(part.document)] : part,
    );
    expect(shown).toEqual(TWO.posts.map((document) => ['posts', document]));
  });

  it('begins as those of mongodump', async () => {
    const archive = await archiveOf({});
    expect(archive.readUInt32LE()).toBe(0x8199e26d);
    expect(BSON.deserialize(archive.subarray(4, -4))).toMatchObject({
      version: '0.1',
      server_version: '7.0.0',
    });
    expect(archive.subarray(-4)).toEqual(Buffer.alloc(4, 0xff));
  });

  it('is refused wherever it was cut off', async () => {
    const archive = await archiveOf(TWO);
    for (let length = 0; length < archive.length; length++)
      await expect(read(archive.subarray(0, length))).rejects.toThrow('the archive of documents is damaged');
  });

  it('is refused with another document than was dumped, and with one too few', async () => {
    const archive = await archiveOf(TWO);
    const changed = Buffer.from(archive);
    changed[archive.indexOf('sets')] = 's'.charCodeAt(0) + 1;
    await expect(read(changed)).rejects.toThrow('the documents of posts are not those that were dumped');
    const document = Buffer.from(BSON.serialize(TWO.posts[0]!));
    const at = archive.indexOf(document);
    const lacking = Buffer.concat([archive.subarray(0, at), archive.subarray(at + document.length)]);
    await expect(read(lacking)).rejects.toThrow('the documents of posts are not those that were dumped');
  });

  it('is refused with documents of a collection that it does not name', async () => {
    const other = await buffer(segmentOf('posts', 'likes', listed([BSON.serialize({ _id: 1 })])));
    await expect(read(Buffer.concat([await archiveOf(TWO), other]))).rejects.toThrow(
      'documents of likes, which has ended or was never there',
    );
  });
});
