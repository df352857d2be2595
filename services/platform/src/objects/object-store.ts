import type { Readable } from 'node:stream';

/** A part of an object: the first and the last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Where files are kept: on the file system, or in an object store. A key is lower-case letters, digits, dashes and dots,
 * in parts divided by slashes; an object never changes.
 */
export abstract class ObjectStore {
  /** Stores a whole object; when it resolves, the object survives a crash. Nobody sees half of one. */
  abstract put(key: string, bytes: Uint8Array): Promise<void>;
  /** The object's size in bytes; undefined if there is none. */
  abstract sizeOf(key: string): Promise<number | undefined>;
  /** Its bytes. The stream fails if the object is removed before it was opened. */
  abstract read(key: string, range?: ByteRange): Readable;
  /** Also resolves if there is none. */
  abstract remove(key: string): Promise<void>;
  /** Removes what `put` has left behind when its process was killed, if it is older than `ageMs`. */
  abstract removeLeftovers(ageMs: number): Promise<void>;
  /** Rejects while objects cannot be stored. */
  abstract ping(): Promise<void>;
}
