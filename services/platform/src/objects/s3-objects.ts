import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Client } from 'minio';
import { limitedTransport, type TransportLimits } from './limited-transport.js';
import {
  assertKey,
  type ByteRange,
  ObjectStore,
  ObjectStoreError,
  type StoredObject,
  withSource,
} from './object-store.js';
import type { S3Location } from './s3-location.js';

export interface S3Options extends TransportLimits {
  /** How many objects are read at once; further readers wait `connectMs`. A slow reader keeps its connection to its end. */
  readers: number;
  /** How many objects one request lists. */
  page: number;
}

/** A store that is away, or hangs, does not hold up its callers. 1,000 objects are the most that stores list at once. */
const OPTIONS: S3Options = {
  ...{ connectMs: 3_000, silenceMs: 10_000 },
  ...{ connections: 64, readers: 1_024 },
  page: 1_000,
};
/** The codes of an answer without a body, and with one. */
const MISSING = ['NotFound', 'NoSuchKey'];
/** Of a file, in bytes: what is in memory at once, and a ten-thousandth of the longest file. */
const PART_BYTES = 64 * 1024 * 1024;
/** The same of bytes whose number is not known before: up to 80 GB. */
const STREAM_PART_BYTES = 8 * 1024 * 1024;
const TYPE = { 'Content-Type': 'application/octet-stream' };
/** A kept connection that the store has closed at the same moment. */
const CUT = ['ECONNRESET', 'EPIPE'];

/**
 * Objects in a bucket of MinIO, Amazon S3 or another store with its API. `put` is one request whose checksum the store
 * verifies (SHA-256, which is part of the signature; with TLS MD5), so it stores a body that arrived damaged under no
 * circumstances, and a killed process leaves nothing behind.
 */
export class S3Objects extends ObjectStore {
  private readonly client: Client;
  /** With connections of its own, so that slow readers hold up nothing else. */
  private readonly reader: Client;
  private readonly page: number;

  constructor(
    private readonly location: S3Location,
    options: Partial<S3Options> = {},
  ) {
    super();
    const { page, readers, ...limits } = { ...OPTIONS, ...options };
    this.page = page;
    this.client = clientOf(location, limits);
    this.reader = clientOf(location, { ...limits, connections: readers });
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    assertKey(key);
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await this.ask(`${key} could not be stored`, (bucket) =>
      this.client.putObject(bucket, key, body, body.length, TYPE),
    );
  }

  /**
   * Stores a file of up to 640 GB, beyond 64 MiB in parts that become an object when the last one is there. What a killed process leaves of
   * these is no object; the bucket's rules remove it. It goes on with no such rest, as the client's own way would: an encrypted file
   * never has the bytes of the one before, and stores need not list rests.
   */
  async putFile(key: string, path: string): Promise<void> {
    assertKey(key);
    const { size } = await stat(path);
    if (size <= PART_BYTES) return this.put(key, await readFile(path));
    await this.ask(`${key} could not be stored`, (bucket) =>
      this.putParts(bucket, key, createReadStream(path, { highWaterMark: PART_BYTES })),
    );
  }

  /** Up to 8 MiB in one request, beyond that in parts of as much; each is in memory once. */
  async putStream(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    assertKey(key);
    const parts = partsOf(bytes, STREAM_PART_BYTES);
    try {
      const first = await parts.next();
      const bytesOfFirst = first.done ? Buffer.alloc(0) : first.value;
      if (bytesOfFirst.length < STREAM_PART_BYTES) return await this.put(key, bytesOfFirst);
      await withSource(withFirst(bytesOfFirst, parts), async (source) => {
        try {
          await this.putParts(this.location.bucket, key, source);
        } catch (error) {
          throw failure(`${key} could not be stored`, error);
        }
      });
    } finally {
      await parts.return(undefined);
    }
  }

  /** What a killed process leaves of the parts is no object; the bucket's rules remove it. */
  private async putParts(bucket: string, key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const id = await this.client.initiateNewMultipartUpload(bucket, key, TYPE);
    try {
      const parts: { part: number; etag: string }[] = [];
      for await (const one of bytes) {
        const partNumber = parts.length + 1;
        const headers = { 'Content-Length': String(one.length) };
        const part = { bucketName: bucket, objectName: key, uploadID: id, partNumber, headers };
        // A part may be repeated: the last one of its number counts.
        const { etag } = await againIfCut(() => this.client.uploadPart(part, one as Buffer));
        parts.push({ part: partNumber, etag });
      }
      await this.client.completeMultipartUpload(bucket, key, id, parts);
    } catch (error) {
      // The reason why it failed is the one to tell; the bucket's rules remove what could not be removed here.
      await this.client.abortMultipartUpload(bucket, key, id).catch(() => undefined);
      throw error;
    }
  }

  async sizeOf(key: string): Promise<number | undefined> {
    assertKey(key);
    return this.ask(`${key} could not be looked up`, async (bucket) => {
      try {
        return (await this.client.statObject(bucket, key)).size;
      } catch (error) {
        if (!MISSING.includes(codeOf(error))) throw error;
        // The answer has no body that would say whether the object or the whole bucket is missing.
        if (!(await this.client.bucketExists(bucket))) throw noBucket(bucket);
        return undefined;
      }
    });
  }

  read(key: string, range?: ByteRange): Readable {
    assertKey(key);
    return Readable.from(this.chunks(key, range), { objectMode: false });
  }

  async remove(key: string): Promise<void> {
    assertKey(key);
    await this.ask(`${key} could not be removed`, (bucket) => this.client.removeObject(bucket, key));
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    const what = `the objects below ${prefix || '/'} could not be listed`;
    // A page begins after the last key, because the client refuses continuation tokens that look like numbers.
    let last = '';
    for (;;) {
      const { objects, isTruncated } = await this.ask(what, (bucket) =>
        this.client.listObjectsV2Query(bucket, prefix, '', '', this.page, last),
      );
      for (const { name, size, lastModified } of objects) {
        // A listing without a delimiter has no folders.
        if (name === undefined) continue;
        last = name;
        yield { key: name, size, modifiedAt: lastModified.getTime() };
      }
      if (!isTruncated || objects.length === 0) return;
    }
  }

  /** Nothing: an object is one request. */
  async removeLeftovers(): Promise<void> {}

  async ping(): Promise<void> {
    await this.ask('the bucket cannot be used', async (bucket) => {
      if (!(await this.client.bucketExists(bucket))) throw noBucket(bucket);
    });
  }

  /** Makes the bucket where it is missing, and nobody may read it without a key. Returns whether it was missing. */
  async createBucket(): Promise<boolean> {
    return this.ask('the bucket could not be made', async (bucket) => {
      if (await this.client.bucketExists(bucket)) return false;
      try {
        await this.client.makeBucket(bucket, this.location.region);
      } catch (error) {
        // Another process was faster.
        if (codeOf(error) === 'BucketAlreadyOwnedByYou') return false;
        throw error;
      }
      return true;
    });
  }

  private async *chunks(key: string, range?: ByteRange): AsyncGenerator<Buffer> {
    const what = `${key} could not be read`;
    const { start, end } = range ?? { start: 0, end: Infinity };
    if (end < start) throw new RangeError(`no bytes from ${start} to ${end}`);
    const length = end === Infinity ? 0 : end - start + 1;
    const response = await this.ask(what, (bucket) =>
      this.reader.getPartialObject(bucket, key, start, length),
    );
    try {
      yield* response as AsyncIterable<Buffer>;
    } catch (error) {
      throw failure(what, error);
    }
  }

  private async ask<T>(what: string, request: (bucket: string) => Promise<T>): Promise<T> {
    const { bucket } = this.location;
    try {
      // Every request may be repeated: an object never changes.
      return await againIfCut(() => request(bucket));
    } catch (error) {
      throw failure(what, error);
    }
  }
}

/** Once more where the store has closed the kept connection at the same moment. */
function againIfCut<T>(request: () => Promise<T>): Promise<T> {
  return request().catch((error: unknown) => {
    if (CUT.includes(codeOf(error))) return request();
    throw error;
  });
}

/** The same bytes in parts of `size`, the last one shorter. */
async function* partsOf(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length;) {
      const taken = chunk.subarray(from, from + size - length);
      held.push(taken);
      length += taken.length;
      from += taken.length;
      if (length < size) continue;
      yield Buffer.concat(held);
      [held, length] = [[], 0];
    }
  }
  if (length > 0) yield Buffer.concat(held);
}

async function* withFirst(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function clientOf(location: S3Location, limits: TransportLimits): Client {
  const { host, port, useTls, accessKey, secretKey, region, pathStyle } = location;
  const transport = limitedTransport(useTls, limits);
  return new Client({
    ...{ endPoint: host, useSSL: useTls, accessKey, secretKey, region, pathStyle },
    ...(port !== undefined && { port }),
    ...{ transport, transportAgent: transport.agent },
    // Its own retries print to the console.
    retryOptions: { disableRetry: true },
  });
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code);

const noBucket = (bucket: string) => new Error(`there is no bucket ${bucket}; migrate makes it`);

function failure(what: string, error: unknown): ObjectStoreError {
  const reason = error instanceof Error ? error.message || codeOf(error) : String(error);
  return new ObjectStoreError(`${what}: ${reason}`, { cause: error });
}
