import { Injectable } from '@nestjs/common';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import { type ByteRange, ObjectStore } from '@pulso/platform/objects/object-store';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { assetNotFound } from '../store/asset-errors.js';
import { isUnchanged, rangeOf } from './conditions.js';
import { SmallObjects } from './small-objects.js';

/** An object as its readers get it. */
interface SentFile {
  key: string;
  /** Of this object alone, as an object never changes. */
  etag: string;
  headers: Readonly<Record<string, string>>;
  /** The longest that a reader may take. */
  longestMs: number;
  /** Whether its bytes may stay in memory, if they are few. */
  isKept: boolean;
}

/** Also where a browser opens the file as a page: it runs nothing and loads nothing. */
const HEADERS = {
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
};

/** Answers with the bytes of an object, or the part that is asked for (RFC 9110). */
@Injectable()
export class SendFile {
  private readonly small: SmallObjects;

  constructor(
    private readonly objects: ObjectStore,
    private readonly logger: Logger,
  ) {
    this.small = new SmallObjects(objects);
  }

  /** Resolves at the end of the answer. Throws `not-found` where the object is missing, and `unavailable`. */
  async send(request: IncomingMessage, response: ServerResponse, file: SentFile): Promise<void> {
    const { key, etag, isKept } = file;
    const size = this.small.get(key)?.length ?? (await this.objects.sizeOf(key));
    if (size === undefined) {
      this.logger.error({ object: key }, 'a file that should be there is missing');
      throw assetNotFound();
    }
    for (const [header, value] of Object.entries({ ...HEADERS, ...file.headers, etag }))
      response.setHeader(header, value);
    if (isUnchanged(request, etag)) return void response.writeHead(304).end();
    // Only of GET: HEAD answers as GET without a range would.
    const range = request.method === 'GET' ? rangeOf(request, size, etag) : undefined;
    if (range === 'unsatisfiable')
      return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const bytes = request.method === 'GET' && isKept ? await this.readSmall(key, size) : undefined;
    response.setHeader('content-length', end - start + 1);
    if (range) response.setHeader('content-range', `bytes ${start}-${end}/${size}`);
    response.statusCode = range ? 206 : 200;
    if (request.method === 'HEAD') return void response.end();
    if (bytes) return void response.end(bytes.subarray(start, end + 1));
    await this.pipe(file, response, { start, end });
  }

  private async readSmall(key: string, size: number): Promise<Buffer | undefined> {
    try {
      return await this.small.read(key, size);
    } catch (error) {
      this.logger.error({ err: error, object: key }, 'a file could not be read');
      throw unavailable();
    }
  }

  /** A reader that leaves, or is too slow, is no failure of ours. */
  private pipe({ key, longestMs }: SentFile, response: ServerResponse, range: ByteRange): Promise<void> {
    if (response.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const source = this.objects.read(key, range);
      const timer = setTimeout(() => response.destroy(), longestMs);
      response.once('close', () => {
        clearTimeout(timer);
        source.destroy();
        resolve();
      });
      source.on('error', (error) => {
        if (!response.destroyed) this.logger.error({ err: error, object: key }, 'a file could not be sent');
        response.destroy();
      });
      source.pipe(response);
    });
  }
}
