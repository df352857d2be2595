import { chmodSync, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { CommandError } from '../rules/command-error.js';
import { successor } from '../values/key-encoding.js';

export interface Entry {
  key: Uint8Array;
  value: Buffer;
}

export interface StorageOptions {
  /** The data directory; created when missing. Only one server at a time may have it open. */
  directory: string;
  /** Writes are refused when less disk space is free. */
  reserveBytes?: number;
}

interface QueuedWrite {
  action: () => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * lmdb may abort the process some writes after one that found the disk full. So no write is tried that might find it
 * full: writes stop while there is still space for removals, which copy pages too.
 */
const RESERVE_BYTES = 16 * 1024 * 1024;
/** The space of a change besides its own bytes: the pages on the path to it are copied, 4 KiB each. */
const BYTES_PER_CHANGE = 8 * 1024;

/**
 * The lmdb file and its single writer. Keys of all trees share one ordered map (key-encoding.ts, `treePrefix`).
 *
 * Group commit: writes that arrive together run in sequence in one lmdb transaction, which is flushed before the
 * first of them is acknowledged. It uses lmdb's synchronous commit (fdatasync before it returns): the asynchronous
 * `transaction()` never calls back on the Node version this was built with.
 */
export class Storage {
  private queue: QueuedWrite[] = [];
  private closed = false;
  /** Bytes that the current transaction may still write. */
  private room = 0;
  /** An error of lmdb itself has left a change half done: the transaction must not be committed. */
  private isTorn = false;

  private constructor(
    private readonly lmdb: RootDatabase<Buffer, Uint8Array>,
    private readonly options: StorageOptions,
    private readonly onUndone: () => void,
  ) {}

  /**
   * Opens or creates the store; calls `onUndone` when writes were undone unexpectedly.
   * @throws OutOfDiskSpace (14031) when it is to be created on an almost full disk
   */
  static open(options: StorageOptions, onUndone: () => void): Storage {
    const { directory } = options;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Earlier versions may have created it with access for other users.
    chmodSync(directory, 0o700);
    // lmdb maps its lock file into memory. On a full disk the first write to a new one ends the process by SIGBUS.
    if (!existsSync(join(directory, 'lock.mdb')) && roomLeft(options) < 0)
      throw new CommandError(14031, `the disk of ${directory} is full`);
    const lmdb = open<Buffer, Uint8Array>({
      path: directory,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      // lmdb's default durability: the commit flushes the data first, then the page that points to it.
      overlappingSync: false,
    });
    return new Storage(lmdb, options, onUndone);
  }

  get(key: Uint8Array): Buffer | undefined {
    return this.lmdb.getBinary(key);
  }

  /**
   * Only inside `write`: makes all changes, or none where there is no room. It needs no transaction of its own, which would copy
   * each page anew that the group has changed before. @throws OutOfDiskSpace (14031)
   */
  change(
    removed: readonly Uint8Array[],
    put: readonly (readonly [key: Uint8Array, value: Uint8Array])[],
  ): void {
    let needed = 0;
    for (const [key, value] of put) needed += key.length + value.length + BYTES_PER_CHANGE;
    if (put.length > 0 && this.room < needed) throw outOfDiskSpace();
    this.room -= needed;
    this.isTorn = true;
    for (const key of removed) this.lmdb.removeSync(key);
    for (const [key, value] of put) this.lmdb.putSync(key, value as Buffer);
    this.isTorn = false;
  }

  /** Only inside `write`. @throws OutOfDiskSpace (14031) */
  put(key: Uint8Array, value: Uint8Array): void {
    this.room -= key.length + value.length + BYTES_PER_CHANGE;
    if (this.room < 0) throw outOfDiskSpace();
    this.lmdb.putSync(key, value as Buffer);
  }

  /** Only inside `write`. */
  remove(key: Uint8Array): void {
    this.lmdb.removeSync(key);
  }

  /** Entries with `lower <= key < upper`, ascending or descending. */
  range(lower: Uint8Array, upper: Uint8Array, reverse = false): Iterable<Entry> {
    return reverse
      ? this.lmdb.getRange({ start: upper, end: lower, reverse, exclusiveStart: true, inclusiveEnd: true })
      : this.lmdb.getRange({ start: lower, end: upper });
  }

  /** The number of keys with `lower <= key < upper`, read without their values. */
  countKeys(lower: Uint8Array, upper: Uint8Array): number {
    return this.lmdb.getKeysCount({ start: lower, end: upper });
  }

  /** Only inside `write`: removes every key that starts with `prefix`. */
  removeAll(prefix: Uint8Array): void {
    const keys = [...this.lmdb.getKeys({ start: prefix, end: successor(prefix) })];
    for (const key of keys) this.lmdb.removeSync(key);
  }

  /** Queues a synchronous write. Resolves with its result when it is flushed, rejects when it threw or was undone. */
  write<Result>(action: () => Result): Promise<Result> {
    if (this.closed) return Promise.reject(new Error('the document store is closed'));
    return new Promise<Result>((resolve, reject) => {
      this.queue.push({ action, resolve, reject });
      if (this.queue.length === 1) setImmediate(() => this.commitQueued());
    });
  }

  /** Applies all changes of `action` or, when it throws, none of them. Only inside `write`. */
  atomically<Result>(action: () => Result): Result {
    // Inside a transaction lmdb runs this synchronously and returns the value itself; outside it would return a
    // promise.
    return this.lmdb.childTransaction(action) as Result;
  }

  async close(): Promise<void> {
    this.commitQueued();
    this.closed = true;
    await this.lmdb.close();
  }

  private commitQueued(): void {
    const group = this.queue;
    this.queue = [];
    if (group.length === 0) return;
    const settlements: (() => void)[] = [];
    let unexpected = false;
    try {
      this.room = roomLeft(this.options);
      this.lmdb.transactionSync(() => {
        for (const { action, resolve, reject } of group) {
          try {
            const result = action() as never;
            settlements.push(() => resolve(result));
          } catch (error) {
            if (this.isTorn) throw error;
            // Every change is made by `change` or under `atomically`, so an action that threw has changed nothing.
            unexpected ||= !(error instanceof CommandError);
            settlements.push(() => reject(error));
          }
        }
      });
    } catch (error) {
      this.isTorn = false;
      this.onUndone();
      // lmdb reports a full disk with several errors; another program may have just filled it.
      const reason = roomLeft(this.options) < 0 ? outOfDiskSpace() : error;
      for (const { reject } of group) reject(reason);
      return;
    }
    if (unexpected) this.onUndone();
    for (const settle of settlements) settle();
  }
}

/** The bytes that writes may still take. */
function roomLeft({ directory, reserveBytes = RESERVE_BYTES }: StorageOptions): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize - reserveBytes;
}

function outOfDiskSpace(): CommandError {
  return new CommandError(
    14031,
    'the disk of the document store is full: reads still work, writes are refused',
  );
}
