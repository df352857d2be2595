import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import type { AssetKind, AssetPurpose, AssetState } from './asset.js';
import { MediaRows } from './media-rows.js';
import type { VideoStatusName } from './video.entity.js';

/** What a row says of an asset's files. */
export interface AssetRow {
  id: string;
  ownerId: string;
  kind: AssetKind;
  state: AssetState;
  purpose: AssetPurpose | null;
  /** What has become of a video; null of an image, and before the upload is whole. */
  video: VideoStatusName | null;
  /** Of the main file. */
  bytes: number;
}

const BATCH = 1_000;
const COLUMNS = `id, owner_id AS "ownerId", kind, state, purpose, bytes,
  (SELECT status FROM videos WHERE videos.id = assets.id) AS video`;

/** All assets of a kind in the order of their objects' keys. */
@Injectable()
export class AssetsInOrder {
  constructor(
    private readonly dataSource: DataSource,
    private readonly kept: MediaRows,
  ) {}

  /**
   * As they are when the first is taken. PostgreSQL sorts once and holds the result, so no transaction stays open; this
   * process holds 1,000.
   */
  async *read(kind: AssetKind): AsyncGenerator<AssetRow> {
    const runner = this.dataSource.createQueryRunner();
    await runner.connect();
    let hasFailed = false;
    try {
      await runner.query('SET statement_timeout = 0');
      await runner.query(
        `DECLARE assets_in_order CURSOR WITH HOLD FOR
           SELECT ${COLUMNS} FROM assets WHERE kind = '${kind}' ORDER BY right(id::text, 2) COLLATE "C", id`,
      );
      for (;;) {
        const rows = (await runner.query(`FETCH ${BATCH} FROM assets_in_order`)) as AssetRow[];
        yield* rows;
        if (rows.length < BATCH) return;
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      await giveBack(runner, hasFailed);
    }
  }

  async areThere(): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>('SELECT 1 FROM assets LIMIT 1');
    return rows.length > 0;
  }

  /** As it is now. */
  async find(id: string): Promise<AssetRow | undefined> {
    const [row] = await this.dataSource.query<AssetRow[]>(`SELECT ${COLUMNS} FROM assets WHERE id = $1`, [
      id,
    ]);
    return row;
  }

  /** Corrects what the main file counts, unless something has changed since `row` was read. */
  async correctBytes({ id, ownerId, bytes, state }: AssetRow, counted: number): Promise<void> {
    await this.dataSource.query('UPDATE assets SET bytes = $4 WHERE id = $1 AND bytes = $2 AND state = $3', [
      ...[id, bytes, state],
      counted,
    ]);
    this.kept.storageChanged(ownerId);
  }
}

/** Leaves the connection as others expect it. After a failure, that one is told: a lost connection fails here once more. */
async function giveBack(runner: QueryRunner, hasFailed: boolean): Promise<void> {
  try {
    await runner.query('CLOSE ALL');
    await runner.query('RESET statement_timeout');
  } catch (error) {
    if (!hasFailed) throw error;
  } finally {
    await runner.release();
  }
}
