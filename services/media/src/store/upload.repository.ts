import { Injectable } from '@nestjs/common';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { RESUMABLE_MS, UNATTACHED_MS } from './asset.js';
import { AssetRepository } from './asset.repository.js';
import { MediaRows, STORAGE_VERSION } from './media-rows.js';
import { VideoRepository } from './video.repository.js';

/** An upload whose bytes are still to come. */
export interface NewUpload {
  id: string;
  ownerId: string;
  /** In bytes. */
  length: number;
  name: string;
  /** One of `VIDEO.types`. */
  type: string;
  /** As the client has sent it: `Upload-Metadata` of tus. */
  metadata: string;
  /** Its `Idempotency-Key`. */
  key: string | undefined;
}

/** How far an upload has come. */
export interface UploadProgress {
  length: number;
  received: number;
  metadata: string;
  /** Whether a request still stores bytes of it. */
  isWritten: boolean;
}

/** A part of an upload that is stored as an object. */
export interface Piece {
  uploadId: string;
  ownerId: string;
  /** Its first byte in the upload. */
  start: number;
  bytes: number;
  objectKey: string;
}

/**
 * `whole`: it is the last one. `conflict`: the upload has not come to the piece's start, or is beyond it. `gone`: it has expired or
 * was given up. `scattered`: it has come in too many pieces.
 */
export type Kept = 'kept' | 'whole' | 'conflict' | 'gone' | 'scattered';

/** Uploads of an account that have not come to their end (LIMIT-17). */
export const UNFINISHED_UPLOADS_MAX = 10;
/** How long a writer counts that has died. One that lives marks the upload again with each piece. */
const WRITING_MS = 60_000;
/** Of one upload. Pieces of 1 MiB are 50; each cut adds one (LIMIT-17). */
export const PIECES_MAX = 1_000;

const tooManyUnfinished = () =>
  new DomainError(
    'too-many-requests',
    'Too many of your uploads are not finished. Please finish or cancel one of them.',
    { retryAfter: 60 },
  );

const keyReused = () =>
  new DomainError('idempotency-key-reused', 'This Idempotency-Key was used for another upload.');

/** Uploads in pieces: what is expected of them, and what is there (MEDIA-9, MEDIA-23). */
@Injectable()
export class UploadRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writes: Writes,
    private readonly assets: AssetRepository,
    private readonly videos: VideoRepository,
    private readonly kept: MediaRows,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps room for an upload. Returns its id, or that of the upload which was begun with the same key. Throws `quota-exceeded`,
   * `too-many-requests` and `idempotency-key-reused`.
   */
  begin(upload: NewUpload): Promise<string> {
    const { id, ownerId, length } = upload;
    return this.writes.run(async (transaction) => {
      const { manager, afterCommit } = transaction;
      // Also one creation after the other, so that a key begins one upload.
      await this.assets.lockStorage(ownerId, manager);
      const known = await this.begunWith(upload, transaction);
      if (known !== undefined) return known;
      await this.requireFew(ownerId, transaction);
      const room = { id, ownerId, kind: 'video', bytes: length, lifeMs: RESUMABLE_MS } as const;
      const version = await this.assets.reserveIn(room, transaction);
      const { name, type, metadata, key } = upload;
      await manager.query(
        'INSERT INTO uploads (id, length, name, type, metadata, key) VALUES ($1, $2, $3, $4, $5, $6)',
        [id, length, name, type, metadata, key ?? null],
      );
      afterCommit.push(() => this.kept.ownStorageChanged(ownerId, version));
      return id;
    });
  }

  /** Undefined for another's, and once it has expired or was given up. */
  async find(id: string, ownerId: string): Promise<UploadProgress | undefined> {
    const [upload] = await this.dataSource.query<UploadProgress[]>(
      `SELECT length, received, metadata, coalesce(writing_until > $3, false) AS "isWritten"
       FROM uploads JOIN assets USING (id)
       WHERE id = $1 AND owner_id = $2
         AND (state IN ('ready', 'detached') OR (state = 'receiving' AND expires_at > $3))`,
      [id, ownerId, new Date(this.clock.now())],
    );
    return upload;
  }

  /** `writer` stores what comes of an upload from now on; of two, the later one is known. */
  async beginWriting(id: string, writer: string): Promise<void> {
    await this.dataSource.query('UPDATE uploads SET writer = $2, writing_until = $3 WHERE id = $1', [
      ...[id, writer],
      new Date(this.clock.now() + WRITING_MS),
    ]);
  }

  async endWriting(id: string, writer: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE uploads SET writer = NULL, writing_until = NULL WHERE id = $1 AND writer = $2',
      [id, writer],
    );
  }

  /** Counts a stored piece. The last one makes the upload whole, and a video to be processed. */
  keep(piece: Piece): Promise<Kept> {
    const { uploadId, ownerId, start, bytes, objectKey } = piece;
    return this.writes
      .run(async (transaction) => {
        const { manager } = transaction;
        const now = this.clock.now();
        const [assets] = await manager.query<[unknown[], number]>(
          `UPDATE assets SET expires_at = $3
         WHERE id = $1 AND owner_id = $2 AND state = 'receiving' AND expires_at > $4 RETURNING id`,
          [uploadId, ownerId, new Date(now + RESUMABLE_MS), new Date(now)],
        );
        if (assets.length === 0) return 'gone';
        // Of two writers at one place, the second finds that it has moved on.
        const [[upload]] = await manager.query<[MovedUpload[], number]>(
          `UPDATE uploads SET received = received + $3,
           writing_until = CASE WHEN writer IS NOT NULL THEN $4::timestamptz END
         WHERE id = $1 AND received = $2 AND received + $3 <= length RETURNING length, received, name, type,
           (SELECT count(*)::integer FROM upload_pieces WHERE upload_id = $1) AS pieces`,
          [uploadId, start, bytes, new Date(now + WRITING_MS)],
        );
        if (!upload) return 'conflict';
        if (upload.pieces >= PIECES_MAX) throw new Scattered();
        await manager.query(
          'INSERT INTO upload_pieces (upload_id, start, bytes, object_key) VALUES ($1, $2, $3, $4)',
          [uploadId, start, bytes, objectKey],
        );
        if (upload.received < upload.length) return 'kept' as const;
        await this.finish(uploadId, ownerId, upload, transaction);
        return 'whole' as const;
      })
      .catch((error: unknown) => {
        if (error instanceof Scattered) return 'scattered' as const;
        throw error;
      });
  }

  private async begunWith(
    { ownerId, key, length, metadata }: NewUpload,
    { manager }: Transaction,
  ): Promise<string | undefined> {
    if (key === undefined) return undefined;
    const [known] = await manager.query<{ id: string; length: number; metadata: string }[]>(
      `SELECT id, length, metadata FROM uploads JOIN assets USING (id)
       WHERE owner_id = $1 AND key = $2 AND created_at > $3 AND state IN ('receiving', 'ready')
       ORDER BY created_at DESC LIMIT 1`,
      [ownerId, key, new Date(this.clock.now() - RESUMABLE_MS)],
    );
    if (known && (known.length !== length || known.metadata !== metadata)) throw keyReused();
    return known?.id;
  }

  private async requireFew(ownerId: string, { manager }: Transaction): Promise<void> {
    const [row] = await manager.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM assets
       WHERE owner_id = $1 AND kind = 'video' AND state = 'receiving' AND expires_at > $2`,
      [ownerId, new Date(this.clock.now())],
    );
    if (row!.count >= UNFINISHED_UPLOADS_MAX) throw tooManyUnfinished();
  }

  private async finish(
    id: string,
    ownerId: string,
    { length, name, type }: MovedUpload,
    transaction: Transaction,
  ): Promise<void> {
    const [[row]] = await transaction.manager.query<[{ version: string }[], number]>(
      `UPDATE assets SET state = 'ready', purpose = 'post', original_name = $2, original_size = $3, expires_at = $4
       WHERE id = $1 RETURNING ${STORAGE_VERSION} AS version`,
      [id, name, length, new Date(this.clock.now() + UNATTACHED_MS)],
    );
    await this.videos.begin({ id, ownerId, name, type, bytes: length }, transaction);
    transaction.afterCommit.push(() => this.kept.ownStorageChanged(ownerId, row!.version));
  }
}

interface MovedUpload {
  length: number;
  received: number;
  name: string;
  type: string;
  /** How many there were before this one. */
  pieces: number;
}

/** Takes back what the transaction has moved on. */
class Scattered extends Error {}
