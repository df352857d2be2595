import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { Readable } from 'node:stream';
import { DataSource } from 'typeorm';

/** The folder of an upload's pieces: also those of attempts that were cut off, which no row names. */
export const piecesOf = (uploadId: string) => `uploads/${uploadId.slice(-2)}/${uploadId}/`;

/** What has been received of an upload, in the object store (MEDIA-9). */
@Injectable()
export class StoredPieces {
  constructor(
    private readonly dataSource: DataSource,
    private readonly objects: ObjectStore,
  ) {}

  /** All bytes of an upload, one piece after the other. The stream fails as `ObjectStore.read` does. */
  async open(uploadId: string): Promise<Readable> {
    const pieces = await this.dataSource.query<{ key: string }[]>(
      'SELECT object_key AS key FROM upload_pieces WHERE upload_id = $1 ORDER BY start',
      [uploadId],
    );
    return Readable.from(this.read(pieces.map(({ key }) => key)), { objectMode: false });
  }

  /** Removes every piece; may be repeated. */
  async remove(uploadId: string): Promise<void> {
    for await (const { key } of this.objects.list(piecesOf(uploadId))) await this.objects.remove(key);
    await this.dataSource.query('DELETE FROM upload_pieces WHERE upload_id = $1', [uploadId]);
  }

  /** At most `limit` uploads that have pieces, though their videos are ready or have failed: the worker was killed in between. */
  async listEnded(limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'SELECT DISTINCT upload_id AS id FROM upload_pieces JOIN videos ON id = upload_id WHERE due_at IS NULL LIMIT $1',
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Whether a row names a piece of the upload. */
  async exist(uploadId: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      'SELECT FROM upload_pieces WHERE upload_id = $1 LIMIT 1',
      [uploadId],
    );
    return rows.length > 0;
  }

  private async *read(keys: readonly string[]): AsyncGenerator<Buffer> {
    for (const key of keys) yield* this.objects.read(key) as AsyncIterable<Buffer>;
  }
}
