import { createReadStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from '../ids/uuid-v7.js';
import { type ByteRange, ObjectStore } from './object-store.js';

const KEY = /^[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9][a-z0-9.-]*)*$/;
/** Keys never begin with a dot, so that no object is in it. */
const INCOMING = '.incoming';

/** Names of files tell which pictures there are: the folders, too, are the owner's alone. */
const FOLDER = { recursive: true, mode: 0o700 } as const;

/** Objects as files of one directory, which is made where it is missing. Several processes may use it at once. */
export class FileObjects extends ObjectStore {
  constructor(private readonly directory: string) {
    super();
  }

  /** Written under another name and renamed; file and folder are synced, so that a power cut loses neither. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    const target = this.pathOf(key);
    const incoming = join(this.directory, INCOMING);
    const staging = join(incoming, newId());
    await mkdir(incoming, FOLDER);
    const made = await mkdir(dirname(target), FOLDER);
    try {
      await writeSynced(staging, bytes);
      await rename(staging, target);
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

  async sizeOf(key: string): Promise<number | undefined> {
    return (await orMissing(stat(this.pathOf(key))))?.size;
  }

  read(key: string, range?: ByteRange): Readable {
    return createReadStream(this.pathOf(key), range);
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async removeLeftovers(ageMs: number): Promise<void> {
    const incoming = join(this.directory, INCOMING);
    for (const name of (await orMissing(readdir(incoming))) ?? []) {
      const file = join(incoming, name);
      const found = await orMissing(stat(file));
      // The file's time is the machine's, not an injected clock's.
      if (found && found.mtimeMs <= Date.now() - ageMs) await rm(file, { force: true });
    }
  }

  async ping(): Promise<void> {
    await mkdir(this.directory, FOLDER);
    await access(this.directory, constants.R_OK | constants.W_OK);
  }

  private pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error(`${JSON.stringify(key)} is not the key of an object`);
    return join(this.directory, key);
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
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
