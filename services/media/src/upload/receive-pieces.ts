import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { assetNotFound } from '../store/asset-errors.js';
import { piecesOf } from '../store/stored-pieces.js';
import { type Kept, UploadRepository } from '../store/upload.repository.js';
import { VideoQueue } from '../video/video-queue.js';
import { wrongOffset } from './tus-refusal.js';

/** What is in memory of an upload, and the most that a kill costs its sender. */
const PIECE_BYTES = 1024 * 1024;

const cutTooOften = () =>
  new DomainError('unprocessable', 'This upload was cut too often. Please start it again.');

/** Stores the bytes of an upload as they come, piece by piece (MEDIA-23); the video of a whole one goes to the worker. */
@Injectable()
export class ReceivePieces {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly objects: ObjectStore,
    private readonly queue: VideoQueue,
    private readonly logger: Logger,
  ) {}

  /**
   * Takes what `source` brings from byte `offset` of the caller's upload on, and returns where the next byte belongs. Of a source
   * that fails, as one does whose connection is cut, all that came is kept before this rejects with its error. Rejects with
   * `not-found`, `unprocessable`, TusRefusal where another writer was faster, and ObjectStoreError.
   */
  async execute(source: AsyncIterable<Buffer>, uploadId: string, offset: number): Promise<number> {
    const writer = newId();
    await this.uploads.beginWriting(uploadId, writer);
    try {
      return await this.receive(source, uploadId, offset);
    } finally {
      await this.endWriting(uploadId, writer);
    }
  }

  private async receive(source: AsyncIterable<Buffer>, uploadId: string, offset: number): Promise<number> {
    let [at, held, size]: [number, Buffer[], number] = [offset, [], 0];
    const keep = async () => {
      if (size === 0) return;
      const bytes = Buffer.concat(held);
      [held, size] = [[], 0];
      await this.keep(uploadId, at, bytes);
      at += bytes.length;
    };
    const failure = await this.read(source, async (chunk) => {
      for (let from = 0; from < chunk.length;) {
        const part = chunk.subarray(from, from + PIECE_BYTES - size);
        held.push(part);
        size += part.length;
        from += part.length;
        if (size === PIECE_BYTES) await keep();
      }
    });
    await keep();
    if (failure) throw failure.error;
    return at;
  }

  /** Tells how the source has failed; rejects as `take` does. */
  private async read(
    source: AsyncIterable<Buffer>,
    take: (chunk: Buffer) => Promise<void>,
  ): Promise<{ error: unknown } | undefined> {
    // Not by `for await`: that would end the source before the reason is known, and the library would tell of a broken stream.
    const chunks = source[Symbol.asyncIterator]();
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => ({ error }));
      if ('error' in next) return next;
      if (next.done) return undefined;
      await take(next.value);
    }
  }

  /** The object is there before the row tells of it, so what is acknowledged outlives a kill at any moment. */
  private async keep(uploadId: string, start: number, bytes: Buffer): Promise<void> {
    const { userId: ownerId } = requireCaller();
    // Another writer at the same place, or a repetition after a kill, has another object.
    const objectKey = `${piecesOf(uploadId)}${start}-${newId()}`;
    await this.objects.put(objectKey, bytes);
    const kept = await this.uploads.keep({ uploadId, ownerId, start, bytes: bytes.length, objectKey });
    if (kept === 'whole') this.queue.dispatch([uploadId]);
    if (kept === 'kept' || kept === 'whole') return;
    await this.discard(objectKey);
    throw REFUSALS[kept]();
  }

  /** Where that fails, whoever asks for the upload's progress waits in vain, until the mark's time is over. */
  private async endWriting(uploadId: string, writer: string): Promise<void> {
    try {
      await this.uploads.endWriting(uploadId, writer);
    } catch (error) {
      this.logger.warn(
        { err: error, upload: uploadId },
        'an upload could not be marked as written by nobody',
      );
    }
  }

  /** Where that fails, it goes with the upload's other pieces. */
  private async discard(objectKey: string): Promise<void> {
    try {
      await this.objects.remove(objectKey);
    } catch (error) {
      this.logger.warn({ err: error, object: objectKey }, 'a piece that does not count could not be removed');
    }
  }
}

const REFUSALS: Readonly<Record<Exclude<Kept, 'kept' | 'whole'>, () => Error>> = {
  conflict: wrongOffset,
  gone: assetNotFound,
  scattered: cutTooOften,
};
