import type { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file of an archive. It is opened when its turn comes. */
export interface Member {
  name: string;
  /** In bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
  open(): Readable;
}

const MODE = 0o100644;

/**
 * The bytes of a zip of `members`, one after the other and none compressed, as they are taken: pictures and videos cannot be made smaller,
 * and a reader finds any part of them by its place. Beyond 4 GB it is in the format zip64. Throws what `members` or the stream of one throws,
 * and where one has not as many bytes as it said.
 */
export async function* archiveZip(members: AsyncIterable<Member>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const bytes = zip.outputStream as PassThrough;
  zip.on('error', (error: Error) => bytes.destroy(error));
  const left = new AbortController();
  const filling = fill(zip, members, left.signal).catch((error: Error) => void bytes.destroy(error));
  try {
    yield* bytes as AsyncIterable<Buffer>;
  } finally {
    left.abort(new Error('the reader of the archive has left'));
    await filling;
  }
}

async function fill(zip: ZipFile, members: AsyncIterable<Member>, signal: AbortSignal): Promise<void> {
  for await (const member of members) await add(zip, member, signal);
  zip.end();
}

/** Resolves when the member has been read. */
function add(zip: ZipFile, { name, size, modifiedAt, open }: Member, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let source: Readable | undefined;
    const settle = (end: () => void) => () => {
      signal.removeEventListener('abort', leave);
      end();
    };
    const leave = settle(() => {
      source?.destroy();
      reject(signal.reason as Error);
    });
    signal.addEventListener('abort', leave);
    const options = { size, compress: false, mtime: new Date(modifiedAt), mode: MODE };
    zip.addReadStreamLazy(name, options, (take) => {
      source = open();
      source.once('end', settle(resolve));
      source.once('error', (error) => settle(() => reject(error))());
      take(null, source);
    });
  });
}
