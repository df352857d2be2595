import { BlobReader, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { DOCUMENT_BYTES } from '../document-limit.js';
import { ArchiveError } from './archive-error.js';
import { readDocument } from './read-document.js';
import type { Source } from './read-document.js';

const DOCUMENT = /^(?:.*\/)?pulso-export\.json$/;
/** What systems add when they pack a folder. */
const RESOURCE_FORKS = /^__MACOSX\//;
const MEDIA = /^media\/([\w-]{1,100})\.(\w{1,5})$/;

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
};

export interface OpenedArchive {
  source: Source;
  /** Bytes of a picture or a video by its id; undefined where the archive does not have it. */
  sizeOf: (id: string) => number | undefined;
  /** A picture or a video, with its type. @throws ArchiveError where it is broken, or longer than `limit` bytes */
  read: (id: string, limit: number) => Promise<Blob>;
}

/**
 * Opens an archive of Pulso (ACCT-45), which may have been packed anew by another program. Of the file only what is asked for is read;
 * a document of more than `documentBytes` is refused.
 * @throws ArchiveError
 */
export async function openArchive(file: Blob, documentBytes = DOCUMENT_BYTES): Promise<OpenedArchive> {
  const entries = await entriesOf(file);
  const document = entries
    .filter(({ filename }) => DOCUMENT.test(filename) && !RESOURCE_FORKS.test(filename))
    .toSorted((one, other) => one.filename.length - other.filename.length)[0];
  if (!document) throw new ArchiveError('noDocument');
  const folder = document.filename.slice(0, -'pulso-export.json'.length);
  const media = new Map<string, { entry: FileEntry; type: string }>();
  for (const entry of entries) {
    if (!entry.filename.startsWith(folder)) continue;
    const [, id, end = ''] = MEDIA.exec(entry.filename.slice(folder.length)) ?? [];
    const type = TYPES[end];
    if (id !== undefined && type !== undefined) media.set(id, { entry, type });
  }
  return {
    source: readDocument(parse(await textOf(document, documentBytes))),
    sizeOf: (id) => media.get(id)?.entry.uncompressedSize,
    async read(id, limit) {
      const found = media.get(id);
      if (!found) throw new Error(`the archive has no file ${id}`);
      const parts: Blob[] = [];
      await read(found.entry, limit, (chunk) => void parts.push(new Blob([chunk])));
      return new Blob(parts, { type: found.type });
    },
  };
}

async function entriesOf(file: Blob): Promise<FileEntry[]> {
  if (!(await beginsAsZip(file))) throw new ArchiveError('noZip');
  try {
    // Its members are stored, not packed: no worker is worth its start.
    const reader = new ZipReader(new BlobReader(file), { useWebWorkers: false });
    return (await reader.getEntries()).filter((entry) => !entry.directory);
  } catch (cause) {
    throw new ArchiveError(faultOf(cause), { cause });
  }
}

async function beginsAsZip(file: Blob): Promise<boolean> {
  try {
    const [p, k] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    return p === 0x50 && k === 0x4b;
  } catch (cause) {
    throw new ArchiveError(faultOf(cause), { cause });
  }
}

async function textOf(entry: FileEntry, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  await read(entry, limit, (chunk) => (text += decoder.decode(chunk, { stream: true })));
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ArchiveError('incomplete', { cause });
  }
}

/** Reads a member piece by piece. The library ends where it gets longer than its directory says. */
async function read(
  entry: FileEntry,
  limit: number,
  take: (chunk: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  if (entry.encrypted) throw new ArchiveError('encrypted');
  if (entry.uncompressedSize > limit) throw new ArchiveError('tooLarge');
  try {
    await entry.getData(new WritableStream<Uint8Array<ArrayBuffer>>({ write: take }), { checkCrc32: true });
  } catch (cause) {
    throw new ArchiveError(faultOf(cause), { cause });
  }
}

/** Browsers refuse to read a file that was changed since it was chosen. */
const faultOf = (cause: unknown) =>
  cause instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(cause.name)
    ? 'gone'
    : 'broken';
