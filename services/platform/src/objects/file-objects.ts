import { createReadStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from '../ids/uuid-v7.js';
import {
  assertKey,
  type ByteRange,
  ObjectStore,
  ObjectStoreError,
  type StoredObject,
  withSource,
} from './object-store.js';

/** Keys never begin with a dot, so that no object is in it. */
const INCOMING = '.incoming';

/** A picture in one or two reads: each costs more than its bytes. */
const READ_BYTES = 256 * 1024;

/** So many parts of a key are folders that many objects share, and stay. Deeper ones are one thing's own, and go with its last object. */
const SHARED_FOLDERS = 2;
const FILLED_OR_GONE = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];
const MOVES = 5;

/** In parts. */
type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Names of files tell which pictures there are: the folders, too, are the owner's alone. */
const FOLDER = { recursive: true, mode: 0o700 } as const;

/**
 * Objects as files of one directory, which must have been made (`makeDirectory`): where it is missing later, a disk is not
 * mounted. Several processes may use it at once.
 */
export class FileObjects extends ObjectStore {
  private readonly incoming: string;

  constructor(private readonly directory: string) {
    super();
    this.incoming = join(directory, INCOMING);
  }

  async makeDirectory(): Promise<void> {
    await orStoreError('the directory could not be made', () => mkdir(this.incoming, FOLDER));
  }

  /** Written under another name and renamed; file and folder are synced, so that a power cut loses neither. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    const target = this.pathOf(key);
    await orStoreError(`${key} could not be stored`, () => this.write(target, [bytes]));
  }

  async putFile(key: string, path: string): Promise<void> {
    const target = this.pathOf(key);
    await orStoreError(`${key} could not be stored`, () => this.write(target, partsOf(path)));
  }

  async putStream(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const target = this.pathOf(key);
    await withSource(bytes, (source) =>
      orStoreError(`${key} could not be stored`, () => this.write(target, source)),
    );
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const path = this.pathOf(key);
    return orStoreError(`${key} could not be looked up`, async () => {
      const found = await orMissing(stat(path));
      if (!found) await this.assertMounted();
      return found?.size;
    });
  }

  read(key: string, range?: ByteRange): Readable {
    return createReadStream(this.pathOf(key), { ...range, highWaterMark: READ_BYTES });
  }

  async remove(key: string): Promise<void> {
    const path = this.pathOf(key);
    await orStoreError(`${key} could not be removed`, async () => {
      if ((await orMissing(unlink(path).then(() => true))) === undefined) await this.assertMounted();
      if (key.split('/').length > SHARED_FOLDERS + 1) await removeIfEmpty(dirname(path));
    });
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    await orStoreError(`the objects below ${prefix || '/'} could not be listed`, () => this.assertMounted());
    yield* this.below(prefix);
  }

  async removeLeftovers(ageMs: number, stopping?: AbortSignal): Promise<void> {
    await orStoreError('what was left could not be removed', async () => {
      for (const name of await readdir(this.incoming)) {
        if (stopping?.aborted) return;
        const file = join(this.incoming, name);
        const found = await orMissing(stat(file));
        // The file's time is the machine's, not an injected clock's.
        if (found && found.mtimeMs <= Date.now() - ageMs) await rm(file, { force: true });
      }
    });
  }

  async ping(): Promise<void> {
    await orStoreError('the directory cannot be used', () =>
      access(this.incoming, constants.R_OK | constants.W_OK),
    );
  }

  /** Rejects where no file could be found: a disk that is not mounted has not lost them. */
  private async assertMounted(): Promise<void> {
    await stat(this.incoming);
  }

  private async write(target: string, bytes: Bytes): Promise<void> {
    const staging = join(this.incoming, newId());
    let made: string | undefined;
    try {
      await writeSynced(staging, bytes);
      made = await moveInto(staging, target);
    } catch (error) {
      await rm(staging, { force: true });
      throw error;
    }
    // A folder that this call has made is a name in the folder above it.
    const last = made === undefined ? dirname(target) : dirname(made);
    for (let folder = dirname(target); ; folder = dirname(folder)) {
      await syncFolder(folder);
      if (folder === last) return;
    }
  }

  /** A folder at a time: the names of one are held and sorted. */
  private async *below(prefix: string): AsyncGenerator<StoredObject> {
    const entries = await orStoreError(`the objects below ${prefix || '/'} could not be listed`, () =>
      orMissing(readdir(join(this.directory, prefix), { withFileTypes: true })),
    );
    // A folder's keys go on with a slash, which comes after a dash and a dot.
    const names = (entries ?? [])
      .filter(({ name }) => !name.startsWith('.'))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    for (const name of names.sort((a, b) => (a < b ? -1 : 1))) {
      const key = prefix + name;
      if (name.endsWith('/')) yield* this.below(key);
      else {
        const found = await orStoreError(`${key} could not be looked up`, () =>
          orMissing(stat(join(this.directory, key))),
        );
        if (found) yield { key, size: found.size, modifiedAt: found.mtimeMs };
      }
    }
  }

  private pathOf(key: string): string {
    assertKey(key);
    return join(this.directory, key);
  }
}

/** Returns the first folder that it has made. One that is empty may be removed before the file is in it. */
async function moveInto(staging: string, target: string): Promise<string | undefined> {
  let made: string | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const first = await mkdir(dirname(target), FOLDER);
    made ??= first;
    try {
      await rename(staging, target);
      return made;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === MOVES) throw error;
    }
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!FILLED_OR_GONE.includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

/** The file is opened when its first part is asked for. */
async function* partsOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>;
}

async function writeSynced(path: string, bytes: Bytes): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const part of bytes) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Undefined where there is no such file. */
async function orMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function orStoreError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ObjectStoreError(`${what}: ${reason}`, { cause: error });
  }
}
