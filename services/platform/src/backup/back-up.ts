import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectStore } from '../objects/object-store.js';
import { StartError } from '../process/start-error.js';
import type { BackupBucket } from './backup-bucket.js';
import { filesOf, keptName, type Manifest, monthOf, timeName } from './backup-names.js';
import { dumpDocuments } from './dump-documents.js';
import { copyFiles, returnFiles } from './file-copies.js';
import { gunzipped, gzipped } from './gzip.js';
import { dumpPostgres, forgetPostgres, restorePostgres } from './postgres-database.js';
import { readArchive } from './read-archive.js';
import { forgetDocuments, restoreDocuments } from './restore-documents.js';
import { assertDigest, seal, unseal } from './sealed-file.js';

/** A service's database. */
export interface BackedUp {
  service: string;
  store: Manifest['store'];
  url: string;
}

interface Place {
  bucket: BackupBucket;
  /** Where the encrypted dump is put together, and taken apart: it needs room for one. */
  workFolder: string;
}

/**
 * Backs up a service: its database, and then its files, if it has any, so that each row has its file. The dump is encrypted into a file and
 * stored when it is whole; the manifest, which makes it a backup, comes last. Throws StartError, and ObjectStoreError of the bucket.
 */
export async function backUp(
  { service, store, url }: BackedUp,
  {
    bucket,
    workFolder,
    recipients,
    objects,
    leftOut = [],
    now = new Date(),
  }: Place & {
    recipients: readonly string[];
    objects?: ObjectStore | undefined;
    /** Folders of the objects that are not copied. */
    leftOut?: readonly string[];
    now?: Date;
  },
): Promise<Manifest> {
  return inFolder(workFolder, async (folder) => {
    const path = join(folder, 'database.age');
    const database = await seal(dumpOf(store, url), recipients, path);
    const month = monthOf(now);
    const places = objects && { from: objects, leftOut, to: bucket, folder: filesOf(service, month) };
    const files = places && { month, ...(await copyFiles(places, recipients, folder)) };
    const manifest: Manifest = {
      format: 1,
      service,
      time: timeName(now),
      store,
      database,
      ...(files && { files }),
    };
    await bucket.store(manifest, { path });
    return manifest;
  });
}

/** Brings a backup, decrypts it and reads all of it, and changes nothing. Throws StartError if it cannot be restored. */
export async function verify(
  service: string,
  time: string,
  { bucket, workFolder, identity }: Place & { identity: string },
): Promise<Manifest> {
  return inFolder(workFolder, async (folder) => {
    const { manifest, dump } = await opened(bucket, { service, time }, folder, identity);
    let bytes = 0;
    if (manifest.store === 'mongo') for await (const _part of readArchive(dump)) bytes++;
    else for await (const chunk of dump) bytes += chunk.length;
    if (bytes === 0) throw new StartError(`the backup ${manifest.time} of ${service} is empty`);
    return manifest;
  });
}

/**
 * Puts a backup in the place of a service's database, which is kept under the name that is returned, and brings back the files that are
 * missing. Nobody else may use the database meanwhile. Throws StartError; then the database is as it was, or, for documents, may have
 * collections under the kept name, and the restore is to be repeated.
 */
export async function restore(
  { service, store, url }: BackedUp,
  time: string,
  {
    bucket,
    workFolder,
    identity,
    objects,
    now = new Date(),
  }: Place & {
    identity: string;
    objects?: ObjectStore | undefined;
    now?: Date;
  },
): Promise<{ manifest: Manifest; kept: string; filesReturned: number }> {
  return inFolder(workFolder, async (folder) => {
    const { manifest, dump } = await opened(bucket, { service, time }, folder, identity);
    if (manifest.store !== store)
      throw new StartError(`the backup is one of ${manifest.store}, and ${service} uses ${store}`);
    const kept = keptName(now);
    if (store === 'postgres') await restorePostgres(url, dump, kept);
    else await restoreDocuments(url, dump, kept);
    const filesReturned =
      manifest.files && objects
        ? await returnFiles(
            { from: bucket, to: objects, folder: filesOf(service, manifest.files.month) },
            identity,
            folder,
          )
        : 0;
    return { manifest, kept, filesReturned };
  });
}

/** Drops what a restore has kept. Throws StartError if there is nothing of the name. */
export async function forget({ store, url }: BackedUp, kept: string): Promise<void> {
  if (!/^before_restore_\d{8}_\d{6}$/.test(kept))
    throw new StartError(`${kept} is not what a restore has kept; that is before_restore_<day>_<time>`);
  await (store === 'postgres' ? forgetPostgres(url, kept) : forgetDocuments(url, kept));
}

async function opened(
  bucket: BackupBucket,
  { service, time }: { service: string; time: string },
  folder: string,
  identity: string,
) {
  const manifest = await bucket.manifest(service, time);
  const path = join(folder, 'database.age');
  await bucket.fetch(manifest, path);
  await assertDigest(path, `the backup ${manifest.time} of ${service}`, manifest.database);
  const dump = unseal(path, identity);
  return { manifest, dump: manifest.store === 'mongo' ? gunzipped(dump) : dump };
}

/** That of pg_dump is compressed by itself. */
const dumpOf = (store: Manifest['store'], url: string) =>
  store === 'postgres' ? dumpPostgres(url) : gzipped(dumpDocuments(url));

async function inFolder<T>(workFolder: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(workFolder, 'backup-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
