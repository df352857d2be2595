import mongoose from 'mongoose';
import { StartError } from '../process/start-error.js';
import { type ArchivedCollection, MAGIC } from './archive.js';
import { Crc64 } from './crc64.js';

const { BSON } = mongoose.mongo;
/** A document of MongoDB has at most 16 MiB; its own tools add some for headers. */
const MOST_BYTES = 16 * 1024 * 1024 + 16 * 1024;

/** What an archive holds, in this order: its collections, then documents. */
export type ArchivePart =
  | { collections: readonly ArchivedCollection[] }
  | { collection: string; document: Buffer };

/**
 * Reads an archive of one database. Throws StartError where it is damaged, and where it ends before every collection has ended, with
 * the checksum of all its documents.
 */
export async function* readArchive(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivePart> {
  const blocks = new Blocks(source);
  if (!(await blocks.take(MAGIC.length))?.equals(MAGIC)) throw damaged('it does not begin as one');
  if (!(await blocks.document())) throw damaged('it has no header');
  const collections: ArchivedCollection[] = [];
  for (let one = await blocks.document(); one; one = await blocks.document())
    collections.push(metadataOf(one));
  yield { collections };
  const open = new Map(collections.map(({ name }) => [name, new Crc64()]));
  while (!(await blocks.isAtEnd())) {
    const header = await blocks.document();
    if (!header) throw damaged('a part of it has no header');
    const { collection, EOF: isEnd, CRC: expected } = BSON.deserialize(header, { useBigInt64: true });
    const crc = open.get(collection as string);
    if (!crc) throw damaged(`it has documents of ${collection}, which has ended or was never there`);
    for (let document = await blocks.document(); document; document = await blocks.document()) {
      if (isEnd) throw damaged(`documents follow the end of ${collection}`);
      crc.update(document);
      yield { collection: collection as string, document };
    }
    if (!isEnd) continue;
    if (expected !== crc.value())
      throw damaged(`the documents of ${collection} are not those that were dumped`);
    open.delete(collection as string);
  }
  if (open.size > 0) throw damaged(`it ends before ${[...open.keys()].join(', ')}`);
}

function metadataOf(raw: Buffer): ArchivedCollection {
  const { collection, metadata } = BSON.deserialize(raw);
  const { indexes } = BSON.EJSON.parse(metadata as string) as { indexes: mongoose.mongo.Document[] };
  return { name: collection as string, indexes };
}

const damaged = (how: string) => new StartError(`the archive of documents is damaged: ${how}`);

/** Documents and terminators, one after the other. */
class Blocks {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private held = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** A document, or undefined for a terminator. */
  async document(): Promise<Buffer | undefined> {
    const head = await this.peek(4);
    const length = head.readInt32LE();
    if (length === -1) {
      await this.take(4);
      return undefined;
    }
    if (length < 5 || length > MOST_BYTES) throw damaged(`a document of ${length} bytes`);
    return this.take(length);
  }

  async isAtEnd(): Promise<boolean> {
    return this.held.length === 0 && !(await this.more());
  }

  async take(length: number): Promise<Buffer> {
    const taken = await this.peek(length);
    this.held = this.held.subarray(length);
    return taken;
  }

  private async peek(length: number): Promise<Buffer> {
    while (this.held.length < length) if (!(await this.more())) throw damaged('it was cut off');
    return this.held.subarray(0, length);
  }

  private async more(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.chunks.next();
      if (done) return false;
      if (value.length === 0) continue;
      this.held = this.held.length === 0 ? Buffer.from(value) : Buffer.concat([this.held, value]);
      return true;
    }
  }
}
