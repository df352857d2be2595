import type { Readable } from 'node:stream';

/** A part of an object: the first and the last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** An object of a listing. */
export interface StoredObject {
  key: string;
  /** In bytes. */
  size: number;
  /** When it was stored, by the store's clock, in milliseconds since the epoch. */
  modifiedAt: number;
}

const KEY = /^[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9][a-z0-9.-]*)*$/;

/** Throws if `key` is not one of an object. */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key)} is not the key of an object`);
}

/** The store cannot be reached, or cannot do what it was asked. Callers see `unavailable` (503). */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
}

/**
 * Where files are kept: on the file system, or in an object store. A key is lower-case letters, digits, dashes and dots,
 * in parts divided by slashes; an object never changes. The promises reject with
 * ObjectStoreError while the store is away.
 */
export abstract class ObjectStore {
  /** Stores a whole object; when it resolves, the object survives a crash. Nobody sees half of one. */
  abstract put(key: string, bytes: Uint8Array): Promise<void>;
  /** The same for the bytes of a file, which need not fit into memory. */
  abstract putFile(key: string, path: string): Promise<void>;
  /**
   * The same for bytes that come one part after the other, such as those of a file that is made meanwhile. If `bytes` throws, nothing is
   * stored, and it rejects with that error.
   */
  abstract putStream(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** The object's size in bytes; undefined if there is none. */
  abstract sizeOf(key: string): Promise<number | undefined>;
  /** Its bytes. The stream fails if the object is removed before it was opened, and if it ends before its last byte. */
  abstract read(key: string, range?: ByteRange): Readable;
  /** Also resolves if there is none. */
  abstract remove(key: string): Promise<void>;
  /**
   * The objects whose keys begin with `prefix`, in the order of their keys, read in pages as they are taken. Objects that
   * are stored or removed meanwhile may be there or not. `prefix` is empty, or ends with a slash.
   */
  abstract list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes what `put` has left behind when its process was killed, if it is older than `ageMs`; all of it unless stopped. */
  abstract removeLeftovers(ageMs: number, stopping?: AbortSignal): Promise<void>;
  /** Rejects while objects cannot be stored. */
  abstract ping(): Promise<void>;
}

/** Hands `bytes` to `store`. Rejects with the error of `bytes` as it is where these fail: then the store did not. */
export async function withSource<T>(
  bytes: AsyncIterable<Uint8Array>,
  store: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  let failed: { error: unknown } | undefined;
  async function* watched() {
    try {
      yield* bytes;
    } catch (error) {
      failed = { error };
      throw error;
    }
  }
  try {
    return await store(watched());
  } catch (error) {
    throw failed ? failed.error : error;
  }
}
