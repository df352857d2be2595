import { Injectable } from '@nestjs/common';
import { newId, newIdAt } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { type Archive, ARCHIVE_LIFE_MS, ARCHIVE_RECEIVING_MS, type ClaimedArchive } from './archive.js';

const COLUMNS = `id, owner_id AS "ownerId", state, document_bytes::float8 AS "documentBytes", done_bytes::float8 AS "doneBytes",
  total_bytes::float8 AS "totalBytes", requested_at AS "requestedAt", ready_at AS "readyAt", due_at AS "dueAt", claim, attempts`;

const LIVE = "state IN ('building', 'ready', 'failed')";
/** Of an owner `$1`, as far as media has heard. */
const IS_ACTIVE = "NOT EXISTS (SELECT FROM known_users WHERE known_users.id = $1 AND status <> 'active')";

type Row = Omit<Archive, 'requestedAt' | 'readyAt' | 'dueAt'> & {
  requestedAt: Date;
  readyAt: Date | null;
  dueAt: Date;
};

type Rows<T> = [T[], number];

/** Archives of users, from the request to the file. One user has one at a time. */
@Injectable()
export class ArchiveRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writes: Writes,
    private readonly clock: Clock,
  ) {}

  /** A row for an archive whose document is about to come: without it nobody would remove what a kill leaves. */
  async begin(ownerId: string): Promise<Pick<Archive, 'id' | 'ownerId'>> {
    const now = this.clock.now();
    const id = newIdAt(now);
    await this.dataSource.query(
      "INSERT INTO archives (id, owner_id, state, requested_at, due_at) VALUES ($1, $2, 'receiving', $3, $4)",
      [id, ownerId, new Date(now), new Date(now + ARCHIVE_RECEIVING_MS)],
    );
    return { id, ownerId };
  }

  /**
   * Its document is stored: it is to be built, and takes the place of the owner's archive. Undefined where it was given up meanwhile, or its
   * owner is suspended or deleted.
   */
  received(
    { id, ownerId }: Pick<Archive, 'id' | 'ownerId'>,
    bytes: { document: number; total: number },
  ): Promise<Archive | undefined> {
    return this.writes.run(async ({ manager }) => {
      // Two requests of one owner, one after the other.
      await manager.query("SELECT pg_advisory_xact_lock(hashtextextended('media.archive.' || $1, 0))", [
        ownerId,
      ]);
      const received = await manager.query<unknown[]>(
        `SELECT FROM archives WHERE id = $2 AND state = 'receiving' AND ${IS_ACTIVE} FOR UPDATE`,
        [ownerId, id],
      );
      if (received.length === 0) return undefined;
      const now = new Date(this.clock.now());
      await manager.query(endOf(`owner_id = $1 AND ${LIVE}`), [ownerId, now]);
      const [rows] = await manager.query<Rows<Row>>(
        `UPDATE archives SET state = 'building', document_bytes = $2, total_bytes = $3, due_at = $4
         WHERE id = $1 RETURNING ${COLUMNS}`,
        [id, bytes.document, bytes.total, now],
      );
      return rows.map(toArchive)[0];
    });
  }

  /**
   * What has come of the document becomes no archive any more. Where it has become one already, as when the answer to that was lost, nothing
   * changes, and this is the archive; undefined also where the owner has ended it.
   */
  async giveUp(id: string): Promise<Archive | undefined> {
    await this.dataSource.query(
      "UPDATE archives SET state = 'removing', due_at = $2 WHERE id = $1 AND state = 'receiving'",
      [id, new Date(this.clock.now())],
    );
    const rows = await this.dataSource.query<Row[]>(
      `SELECT ${COLUMNS} FROM archives WHERE id = $1 AND ${LIVE}`,
      [id],
    );
    return rows.map(toArchive)[0];
  }

  /** The archive that an owner has, or that takes its place once its document is here; undefined once it has expired. */
  async find(ownerId: string): Promise<Archive | undefined> {
    const rows = await this.dataSource.query<Row[]>(
      `SELECT ${COLUMNS} FROM archives
       WHERE owner_id = $1 AND state <> 'removing' AND (state = 'building' OR due_at > $2)
       ORDER BY state = 'receiving' DESC LIMIT 1`,
      [ownerId, new Date(this.clock.now())],
    );
    return rows.map(toArchive)[0];
  }

  /** One that is ready, for whoever has its address; undefined where its owner is suspended or deleted. */
  async findReady(id: string): Promise<ClaimedArchive | undefined> {
    const rows = await this.dataSource.query<Row[]>(
      `SELECT ${COLUMNS} FROM archives WHERE id = $1 AND state = 'ready' AND due_at > $2
         AND NOT EXISTS (SELECT FROM known_users WHERE known_users.id = owner_id AND status <> 'active')`,
      [id, new Date(this.clock.now())],
    );
    return rows.map(toArchive)[0] as ClaimedArchive | undefined;
  }

  /** The owner wants none any more, nor the one whose document comes. Whether there was one. */
  async end(ownerId: string): Promise<boolean> {
    const [rows] = await this.dataSource.query<Rows<unknown>>(
      endOf("owner_id = $1 AND state <> 'removing'"),
      [ownerId, new Date(this.clock.now())],
    );
    return rows.length > 0;
  }

  /** Takes the one that has waited longest for `leaseMs`; no two processes have the same. */
  async claim(leaseMs: number): Promise<ClaimedArchive | undefined> {
    const now = this.clock.now();
    const [rows] = await this.dataSource.query<Rows<Row>>(
      `UPDATE archives SET due_at = $2, claim = $3, attempts = attempts + 1, done_bytes = 0 WHERE id = (
         SELECT id FROM archives WHERE state = 'building' AND due_at <= $1
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING ${COLUMNS}`,
      [new Date(now), new Date(now + leaseMs), newId()],
    );
    return rows.map(toArchive)[0] as ClaimedArchive | undefined;
  }

  /** Notes what has been written, and keeps the claim for `leaseMs` from now. False if it is lost, or nobody wants the archive any more. */
  keep(claimed: ClaimedArchive, bytes: { done: number; total: number }, leaseMs: number): Promise<boolean> {
    const total = Math.max(bytes.total, bytes.done);
    const dueAt = new Date(this.clock.now() + leaseMs);
    return this.change(claimed, 'done_bytes = $3, total_bytes = $4, due_at = $5', bytes.done, total, dueAt);
  }

  /** Its object is stored. False if the claim is lost: then the object is nobody's. */
  ready(claimed: ClaimedArchive, bytes: number): Promise<boolean> {
    const now = this.clock.now();
    return this.change(
      claimed,
      "state = 'ready', done_bytes = $3, total_bytes = $3, ready_at = $4, due_at = $5, reason = ''",
      ...[bytes, new Date(now), new Date(now + ARCHIVE_LIFE_MS)],
    );
  }

  /** Whether this attempt has made it ready. */
  async isReady({ id, claim }: ClaimedArchive): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      "SELECT FROM archives WHERE id = $1 AND claim = $2 AND state = 'ready'",
      [id, claim],
    );
    return rows.length > 0;
  }

  /** Another attempt is due at `dueAt`, after so many that count. */
  giveBack(
    claimed: ClaimedArchive,
    { dueAt, attempts, reason }: { dueAt: number; attempts: number; reason: string },
  ): Promise<boolean> {
    const set = 'done_bytes = 0, due_at = $3, attempts = $4, reason = $5, claim = NULL';
    return this.change(claimed, set, new Date(dueAt), attempts, reason);
  }

  /** It cannot be built. */
  fail(claimed: ClaimedArchive, reason: string): Promise<boolean> {
    const dueAt = new Date(this.clock.now() + ARCHIVE_LIFE_MS);
    return this.change(claimed, "state = 'failed', due_at = $3, reason = $4", dueAt, reason);
  }

  /** How many there are by state, and for how many milliseconds the oldest that is neither ready nor failed has waited. */
  async numbers(): Promise<{ building: number; ready: number; failed: number; oldestMs: number }> {
    const [row] = await this.dataSource.query<
      { building: number; ready: number; failed: number; since: Date | null }[]
    >(
      `SELECT count(*) FILTER (WHERE state = 'building')::integer AS building,
         count(*) FILTER (WHERE state = 'ready')::integer AS ready,
         count(*) FILTER (WHERE state = 'failed')::integer AS failed,
         min(requested_at) FILTER (WHERE state = 'building') AS since
       FROM archives`,
    );
    const { since, ...counts } = row!;
    return { ...counts, oldestMs: since ? Math.max(0, this.clock.now() - since.getTime()) : 0 };
  }

  private async change({ id, claim }: ClaimedArchive, set: string, ...values: unknown[]): Promise<boolean> {
    const [rows] = await this.dataSource.query<Rows<unknown>>(
      `UPDATE archives SET ${set} WHERE id = $1 AND claim = $2 AND state = 'building' RETURNING id`,
      [id, claim, ...values],
    );
    return rows.length > 0;
  }
}

/**
 * SQL: ends the archives that `where` chooses, at time `$2`. What is built may store its object until its claim has run out, and a document may
 * come until it is late: they are removed after that.
 */
const endOf = (where: string) =>
  `UPDATE archives SET state = 'removing',
     due_at = CASE WHEN state = 'receiving' OR (state = 'building' AND claim IS NOT NULL) THEN greatest(due_at, $2) ELSE $2 END
   WHERE ${where} RETURNING id`;

const toArchive = ({ requestedAt, readyAt, dueAt, ...same }: Row): Archive => ({
  ...same,
  requestedAt: requestedAt.getTime(),
  readyAt: readyAt?.getTime() ?? null,
  dueAt: dueAt.getTime(),
});
