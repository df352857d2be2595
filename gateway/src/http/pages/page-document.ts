import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { etagOf } from '../bodies/conditional.js';

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compress = {
  br: (content: Buffer) => promisify(brotliCompress)(content, BROTLI),
  gzip: (content: Buffer) => promisify(gzip)(content),
} as const;

export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A whole page as it is sent, compressed once for all who get it, off the event loop. */
export class PageDocument {
  readonly etag: string;
  private readonly content: Buffer;
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(html: string) {
    this.etag = etagOf(html);
    this.content = Buffer.from(html);
  }

  /** Of its text; compressed it takes less than the same again. */
  get bytes(): number {
    return this.content.byteLength;
  }

  as(encoding: Encoding | 'identity'): Promise<Buffer> {
    if (encoding === 'identity') return Promise.resolve(this.content);
    let encoded = this.encoded.get(encoding);
    if (!encoded) this.encoded.set(encoding, (encoded = compress[encoding](this.content)));
    return encoded;
  }
}
