import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ObjectStore } from '../objects/object-store.js';
import type { BackupBucket } from './backup-bucket.js';
import { seal, unseal } from './sealed-file.js';

/** How many files are on their way at once. */
const AT_ONCE = 4;

interface FilesToCopy {
  from: ObjectStore;
  /** Folders of `from` that are not copied. */
  leftOut: readonly string[];
  to: BackupBucket;
  folder: string;
}

/**
 * Stores each object that the folder of the backup lacks, encrypted, under its own key: objects never change, so one that is there is
 * right. Returns how many objects there are, and how many were added.
 */
export async function copyFiles(
  { from, leftOut, to, folder }: FilesToCopy,
  recipients: readonly string[],
  workFolder: string,
): Promise<{ count: number; added: number }> {
  let [count, added] = [0, 0];
  const lacking = lackingIn(keysOf(from, leftOut), to.files(folder), () => count++);
  await inParallel(lacking, async (key) => {
    await inFile(workFolder, async (path) => {
      await seal(from.read(key), recipients, path);
      await to.storeFile(`${folder}${key}`, path);
    });
    added++;
  });
  return { count, added };
}

/** Brings back each file of the folder that `to` lacks. Returns how many. */
export async function returnFiles(
  { from, to, folder }: { from: BackupBucket; to: ObjectStore; folder: string },
  identity: string,
  workFolder: string,
): Promise<number> {
  let returned = 0;
  await inParallel(lackingIn(from.files(folder), keysOf(to)), async (key) => {
    await inFile(workFolder, async (path) => {
      await from.fetchFile(`${folder}${key}`, path);
      await to.put(key, await buffer(unseal(path, identity)));
    });
    returned++;
  });
  return returned;
}

async function* keysOf(objects: ObjectStore, leftOut: readonly string[] = []): AsyncGenerator<string> {
  for await (const { key } of objects.list(''))
    if (!leftOut.some((folder) => key.startsWith(folder))) yield key;
}

/** The keys of `all` that `there` lacks. Both are in the same order, so a million of them take no memory. */
async function* lackingIn(
  all: AsyncIterable<string>,
  there: AsyncGenerator<string>,
  seen: () => void = () => undefined,
): AsyncGenerator<string> {
  let other = await there.next();
  try {
    for await (const key of all) {
      seen();
      while (!other.done && isBefore(other.value, key)) other = await there.next();
      if (other.done || other.value !== key) yield key;
    }
  } finally {
    await there.return(undefined);
  }
}

/** The order of object stores, which is that of bytes; keys are ASCII. */
const isBefore = (one: string, other: string) => one < other;

async function inParallel<T>(items: AsyncGenerator<T>, work: (item: T) => Promise<void>): Promise<void> {
  const worker = async () => {
    for (let next = await items.next(); !next.done; next = await items.next()) await work(next.value);
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    await items.return(undefined);
  }
}

async function inFile(folder: string, work: (path: string) => Promise<void>): Promise<void> {
  const path = join(folder, randomUUID());
  try {
    await work(path);
  } finally {
    await rm(path, { force: true });
  }
}
