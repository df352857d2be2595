import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
};

const compressors = {
  // Once for each file, off the event loop: worth a high quality, not the last few per cent.
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
} as const;

export type Encoding = keyof typeof compressors;

export const COMPRESSED_SUFFIX: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A file of the frontend that is text: read once, compressed once for each encoding, kept in memory. */
export class TextFile {
  readonly etag: string;
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  private constructor(
    readonly type: string,
    readonly content: Buffer,
  ) {
    this.etag = `W/"${createHash('sha1').update(content).digest('base64url')}"`;
  }

  /** Undefined for what is no text. What the build has compressed already, beside the file, is taken from there. */
  static async read(path: string): Promise<TextFile | undefined> {
    const type = TYPES[extname(path)];
    if (type === undefined) return undefined;
    const file = new TextFile(type, await readFile(path));
    for (const [encoding, suffix] of Object.entries(COMPRESSED_SUFFIX) as [Encoding, string][]) {
      const built = await readIfThere(path + suffix);
      if (built) file.encoded.set(encoding, Promise.resolve(built));
    }
    return file;
  }

  as(encoding: Encoding): Promise<Buffer> {
    const known = this.encoded.get(encoding);
    if (known) return known;
    const compressed = compressors[encoding](this.content);
    this.encoded.set(encoding, compressed);
    return compressed;
  }
}

/** The best of ours that an Accept-Encoding header allows. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  const offers = (accepted ?? '').toLowerCase().split(',');
  const allows = (name: Encoding) =>
    offers.some((offer) => {
      const [coding, ...parameters] = offer.split(';').map((part) => part.trim());
      return coding === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
  if (allows('br')) return 'br';
  return allows('gzip') ? 'gzip' : undefined;
}
