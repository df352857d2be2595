import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import type { Archive } from './archive.js';

export type EndedArchive = Pick<Archive, 'id' | 'ownerId'>;

const TAKEN = 'RETURNING id, owner_id AS "ownerId"';

/** Archives whose objects are to be removed. */
@Injectable()
export class EndedArchives {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes up to `limit` that were ended, have expired, or whose document never came whole. Those that are not deleted within `retryMs`, as
   * after a kill, are taken again.
   */
  async take(limit: number, retryMs: number): Promise<EndedArchive[]> {
    const now = this.clock.now();
    const [rows] = await this.dataSource.query<[EndedArchive[], number]>(
      `UPDATE archives SET state = 'removing', due_at = $2 WHERE id IN (
         SELECT id FROM archives WHERE state <> 'building' AND due_at <= $1
         ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) ${TAKEN}`,
      [new Date(now), new Date(now + retryMs), limit],
    );
    return rows;
  }

  /** The same for all of one owner, in whatever state. */
  async takeOf(ownerId: string): Promise<EndedArchive[]> {
    const [rows] = await this.dataSource.query<[EndedArchive[], number]>(
      `UPDATE archives SET state = 'removing', due_at = $2 WHERE owner_id = $1 ${TAKEN}`,
      [ownerId, new Date(this.clock.now())],
    );
    return rows;
  }

  /** Its objects are removed. */
  async delete(id: string): Promise<void> {
    await this.dataSource.query("DELETE FROM archives WHERE id = $1 AND state = 'removing'", [id]);
  }
}
