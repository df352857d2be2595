import { Injectable } from '@nestjs/common';
import type { ImageFacts } from '@pulso/contracts/media/v1/media';
import { Clock } from '@pulso/platform/time/clock';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { DataSource, type EntityManager } from 'typeorm';
import { quotaExceeded } from './asset-errors.js';
import {
  type Asset,
  type AssetKind,
  type AssetPurpose,
  RECEIVING_MS,
  STORAGE_QUOTA,
  UNATTACHED_MS,
} from './asset.js';
import { MediaRows, STORAGE_VERSION } from './media-rows.js';

const COLUMNS = `id, owner_id, kind, state, purpose, bytes, width, height, blurhash, original_name, original_size,
  claimed_for, claimed_until, attached_to, epoch`;

const USED = statement<{ used: number }>(
  'used-storage',
  `SELECT coalesce(sum(bytes), 0)::float8 AS used FROM assets
   WHERE owner_id = $1::uuid AND state IN ('receiving', 'ready')`,
);

interface Row {
  id: string;
  owner_id: string;
  kind: Asset['kind'];
  state: Asset['state'];
  purpose: AssetPurpose;
  bytes: number;
  width: number;
  height: number;
  blurhash: string;
  original_name: string;
  original_size: string;
  claimed_for: string | null;
  claimed_until: Date | null;
  attached_to: string | null;
  epoch: number;
}

export interface ShownAsset {
  asset: Asset;
  isHidden: boolean;
  /** The type of its main file; null of a video that cannot be played (yet). */
  type: string | null;
}

/** Room for an upload, for so long from now. */
export interface Reservation {
  id: string;
  ownerId: string;
  kind: AssetKind;
  bytes: number;
  lifeMs: number;
}

/** The queries of one asset and of what its owner stores. */
@Injectable()
export class AssetRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: Statements,
    private readonly writes: Writes,
    private readonly kept: MediaRows,
    private readonly clock: Clock,
  ) {}

  /** Undefined while it is received, and once it is gone. */
  async find(id: string): Promise<Asset | undefined> {
    const rows = await this.dataSource.query<Row[]>(
      `SELECT ${COLUMNS} FROM assets WHERE id = $1 AND state = 'ready'`,
      [id],
    );
    return rows.map(toAsset)[0];
  }

  /**
   * Assets for their readers, by id, and whether a moderator hides their post. Without those that `find` does not return, and
   * those of suspended owners (MEDIA-22).
   */
  async findShown(ids: readonly string[]): Promise<Map<string, ShownAsset>> {
    const rows = await this.dataSource.query<(Row & { hidden: boolean; type: string | null })[]>(
      `SELECT ${COLUMNS}, EXISTS (SELECT FROM known_hidden_posts
           WHERE post_id = coalesce(attached_to, claimed_for) AND known_hidden_posts.hidden) AS hidden,
         CASE kind WHEN 'image' THEN 'image/jpeg'
           ELSE (SELECT videos.type FROM videos WHERE videos.id = assets.id AND status = 'ready') END AS type
       FROM assets WHERE id = ANY($1::uuid[]) AND state = 'ready'
         AND NOT EXISTS (SELECT FROM known_users WHERE known_users.id = owner_id AND status <> 'active')`,
      [ids],
    );
    return new Map(
      rows.map((row) => [row.id, { asset: toAsset(row), isHidden: row.hidden, type: row.type }]),
    );
  }

  /** These assets of an owner, locked, whatever their state; others are missing. */
  async lock(ids: readonly string[], ownerId: string, manager: EntityManager): Promise<Map<string, Asset>> {
    const rows = await manager.query<Row[]>(
      `SELECT ${COLUMNS} FROM assets WHERE id = ANY($1::uuid[]) AND owner_id = $2 ORDER BY id FOR UPDATE`,
      [ids, ownerId],
    );
    return new Map(rows.map((row) => [row.id, toAsset(row)]));
  }

  /** Keeps room for an image in one request (MEDIA-14). Throws `quota-exceeded`. */
  async reserve(id: string, ownerId: string, bytes: number): Promise<void> {
    const image = { id, ownerId, kind: 'image', bytes, lifeMs: RECEIVING_MS } as const;
    await this.writes.run((transaction) => this.reserveIn(image, transaction));
    this.kept.storageChanged(ownerId);
  }

  /** The same for any upload, in the caller's transaction. Returns the `STORAGE_VERSION` of the write. */
  async reserveIn(reservation: Reservation, { manager }: Pick<Transaction, 'manager'>): Promise<string> {
    const { id, ownerId, kind, bytes, lifeMs } = reservation;
    const now = this.clock.now();
    await this.lockStorage(ownerId, manager);
    if ((await this.usedIn(manager, ownerId)) + bytes > STORAGE_QUOTA) throw quotaExceeded();
    const rows = await manager.query<{ version: string }[]>(
      `INSERT INTO assets (id, owner_id, kind, state, bytes, created_at, expires_at)
       VALUES ($1, $2, $3, 'receiving', $4, $5, $6) RETURNING ${STORAGE_VERSION} AS version`,
      [id, ownerId, kind, bytes, new Date(now), new Date(now + lifeMs)],
    );
    return rows[0]!.version;
  }

  /**
   * The upload is stored: from now on `facts.bytes` count instead of the reservation. Undefined if the upload has taken too
   * long and was given up. Throws `quota-exceeded` where the stored file is larger than the upload was, and does not fit.
   */
  async finish(facts: ImageFacts, ownerId: string, purpose: AssetPurpose): Promise<Asset | undefined> {
    const finished = await this.writes.run(async ({ manager }) => {
      await this.lockStorage(ownerId, manager);
      const [rows] = await manager.query<[(Row & { version: string })[], number]>(
        `UPDATE assets SET state = 'ready', purpose = $2, bytes = $3, width = $4, height = $5, blurhash = $6,
           original_name = $7, original_size = $8, expires_at = $9
         WHERE id = $1 AND state = 'receiving' RETURNING ${COLUMNS}, ${STORAGE_VERSION} AS version`,
        [
          ...[facts.id, purpose, facts.bytes, facts.width, facts.height, facts.blurhash],
          ...[facts.originalName, facts.originalSize, new Date(this.clock.now() + UNATTACHED_MS)],
        ],
      );
      if ((await this.usedIn(manager, ownerId)) > STORAGE_QUOTA) throw quotaExceeded();
      return rows[0];
    });
    if (!finished) return undefined;
    this.kept.ownStorageChanged(ownerId, finished.version);
    return toAsset(finished);
  }

  /**
   * Counts `bytes` for a video whose file is stored, or has failed. `full`: it does not fit, and nothing is changed. `gone`: its owner has
   * deleted it.
   */
  async settle(
    id: string,
    ownerId: string,
    bytes: number,
    { manager, afterCommit }: Transaction,
  ): Promise<'settled' | 'full' | 'gone'> {
    await this.lockStorage(ownerId, manager);
    const [asset] = await manager.query<{ bytes: number }[]>(
      "SELECT bytes FROM assets WHERE id = $1 AND state IN ('ready', 'detached') FOR UPDATE",
      [id],
    );
    if (!asset) return 'gone';
    const more = bytes - asset.bytes;
    if (more > 0 && (await this.usedIn(manager, ownerId)) + more > STORAGE_QUOTA) return 'full';
    await manager.query('UPDATE assets SET bytes = $2 WHERE id = $1', [id, bytes]);
    afterCommit.push(() => this.kept.storageChanged(ownerId));
    return 'settled';
  }

  /** Its owner is the caller. Its quota is free at once; its files are removed by the next run of the job. */
  async giveUp(id: string, ownerId: string, { manager, afterCommit }: Transaction): Promise<void> {
    const [[row]] = await manager.query<[{ version: string }[], number]>(
      `UPDATE assets SET state = 'removing', expires_at = $2 WHERE id = $1 RETURNING ${STORAGE_VERSION} AS version`,
      [id, new Date(this.clock.now())],
    );
    afterCommit.push(() => this.kept.ownStorageChanged(ownerId, row!.version));
  }

  /**
   * The same for an upload that has failed. If it took so long that the job has removed its row, it gets a new row: it may have
   * stored files since, and without a row nothing would remove them.
   */
  async giveUpUpload(id: string, ownerId: string): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO assets (id, owner_id, state, bytes, created_at, expires_at) VALUES ($1, $2, 'removing', 0, $3, $3)
       ON CONFLICT (id) DO UPDATE SET state = 'removing', expires_at = excluded.expires_at`,
      [id, ownerId, new Date(this.clock.now())],
    );
    this.kept.storageChanged(ownerId);
  }

  /**
   * Takes up to `limit` assets whose files are to be removed now; no event revives them from then on. Those that are not deleted
   * within `retryMs`, as after a kill, are taken again.
   */
  async takeExpired(limit: number, retryMs: number): Promise<Pick<Row, 'id' | 'kind'>[]> {
    const now = this.clock.now();
    const [rows] = await this.dataSource.query<[{ id: string; kind: AssetKind; ownerId: string }[], number]>(
      `UPDATE assets SET state = 'removing', expires_at = $2 WHERE id IN (
         SELECT id FROM assets WHERE expires_at <= $1 ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, owner_id AS "ownerId"`,
      [new Date(now), new Date(now + retryMs), limit],
    );
    this.kept.storageChanged(...rows.map(({ ownerId }) => ownerId));
    return rows;
  }

  /** The same for assets of one owner, in whatever state; nobody sees them any more. */
  async takeOf(ownerId: string, limit: number, retryMs: number): Promise<Pick<Row, 'id' | 'kind'>[]> {
    const now = this.clock.now();
    const [rows] = await this.dataSource.query<[Pick<Row, 'id' | 'kind'>[], number]>(
      `UPDATE assets SET state = 'removing', expires_at = $3 WHERE id IN (
         SELECT id FROM assets WHERE owner_id = $1 AND (state <> 'removing' OR expires_at <= $2)
         LIMIT $4 FOR UPDATE SKIP LOCKED)
       RETURNING id, kind`,
      [ownerId, new Date(now), new Date(now + retryMs), limit],
    );
    this.kept.storageChanged(ownerId);
    return rows;
  }

  /** Whether the owner has assets in any state. */
  async haveSome(ownerId: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>('SELECT FROM assets WHERE owner_id = $1 LIMIT 1', [
      ownerId,
    ]);
    return rows.length > 0;
  }

  /** Deletes the row of an asset that was taken, once its files are removed. */
  async delete(id: string, manager: Pick<EntityManager, 'query'> = this.dataSource): Promise<void> {
    await manager.query("DELETE FROM assets WHERE id = $1 AND state = 'removing'", [id]);
  }

  /** The stored bytes of an owner with the reservations of running uploads (MEDIA-13). */
  usedBy(ownerId: string): Promise<number> {
    return this.kept.usedBy(ownerId, async () => (await this.statements.row(USED, [ownerId]))!.used);
  }

  private async usedIn(manager: EntityManager, ownerId: string): Promise<number> {
    const [row] = await manager.query<{ used: number }[]>(USED.text, [ownerId]);
    return row!.used;
  }

  /** Parallel uploads of one owner are counted one after the other, to the end of the transaction. */
  async lockStorage(ownerId: string, manager: EntityManager): Promise<void> {
    await manager.query("SELECT pg_advisory_xact_lock(hashtextextended('media.storage.' || $1, 0))", [
      ownerId,
    ]);
  }
}

function toAsset(row: Row): Asset {
  return {
    kind: row.kind,
    facts: {
      id: row.id,
      width: row.width,
      height: row.height,
      blurhash: row.blurhash,
      originalName: row.original_name,
      originalSize: Number(row.original_size),
      bytes: row.bytes,
    },
    ownerId: row.owner_id,
    state: row.state,
    purpose: row.purpose,
    claimedFor: row.claimed_for,
    claimedUntil: row.claimed_until?.getTime() ?? null,
    attachedTo: row.attached_to,
    epoch: row.epoch,
  };
}
