import { EXPORT_END } from '@pulso/contracts/export-format';
import { Archive, ArchiveStatus } from '@pulso/contracts/media/v1/media';
import { until } from '@pulso/platform/testing/until';
import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveState } from '../../src/store/archive.js';
import type { TestMedia } from '../start.js';

// A worker of its own would outlive the test.
configure({ useWebWorkers: false });

/** A document of an export, whole. */
export const aDocument = (text = 'some rows') => `{"services":{"posts":${JSON.stringify(text)}}${EXPORT_END}`;

/** Asks for an archive, as the gateway does. */
export const askForArchive = async (
  media: TestMedia,
  userId: string,
  body = aDocument(),
): Promise<Response> => {
  const authorization = await media.service.authorizationOf(userId);
  const headers = { authorization, 'content-type': 'application/json' };
  return fetch(`${media.base}/archives`, { method: 'POST', body, headers });
};

export const archiveOf = (media: TestMedia, userId: string): Promise<Archive> =>
  media.service.as(userId, (client) => client.getArchive({}));

export const deleteArchive = (media: TestMedia, userId: string) =>
  media.service.as(userId, (client) => client.deleteArchive({}));

export const untilArchive = (
  media: TestMedia,
  userId: string,
  status = ArchiveStatus.ARCHIVE_STATUS_READY,
): Promise<Archive> =>
  until(
    async () => {
      const archive = await archiveOf(media, userId);
      return archive.status === status && archive;
    },
    { what: `an archive of status ${ArchiveStatus[status]}` },
  );

/** The archive of a user once it is ready. */
export async function aReadyArchive(media: TestMedia, userId: string, document?: string): Promise<Archive> {
  const response = await askForArchive(media, userId, document);
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  return untilArchive(media, userId);
}

/** The files of a zip by name, as another implementation than the one that wrote it reads them. */
export async function membersOf(zip: Uint8Array): Promise<Map<string, Buffer>> {
  const reader = new ZipReader(new Uint8ArrayReader(zip), { checkCrc32: true });
  const members = new Map<string, Buffer>();
  for (const entry of await reader.getEntries()) {
    if (entry.directory) throw new Error(`${entry.filename} is a folder`);
    members.set(entry.filename, Buffer.from(await entry.getData(new Uint8ArrayWriter())));
  }
  await reader.close();
  return members;
}

interface ArchiveRowShown {
  id: string;
  state: ArchiveState;
  attempts: number;
  claim: string | null;
  reason: string;
}

export const archiveRows = (media: TestMedia, userId: string) =>
  media.service.rows<ArchiveRowShown>(
    'SELECT id, state, attempts, claim, reason FROM archives WHERE owner_id = $1 ORDER BY requested_at, id',
    [userId],
  );

/** The keys of all objects of archives, and the names of files that are half written. */
export async function archiveObjects({ objects }: TestMedia): Promise<string[]> {
  const entries = await readdir(objects, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(objects.length + 1))
    .filter((key) => key.startsWith('archives/') || key.startsWith('.incoming/'))
    .sort();
}
