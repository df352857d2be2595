import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** The blocks between a viewer and another user. */
export interface Blocks {
  /** The viewer has blocked the other. */
  blocked: boolean;
  /** The other has blocked the viewer. */
  blockedBy: boolean;
  either: boolean;
}

export const NO_BLOCKS: Blocks = { blocked: false, blockedBy: false, either: false };

/** Reads the blocks between two users. */
@Injectable()
export class BlocksBetween {
  constructor(private readonly dataSource: DataSource) {}

  /** Pass the manager of a transaction: a second connection for one request can exhaust the pool. */
  async read(
    viewerId: string,
    otherId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Blocks> {
    const rows = await manager.query<{ blocker_id: string }[]>(
      `SELECT blocker_id FROM blocks
       WHERE deleted_at IS NULL AND (blocker_id, blocked_id) IN (($1::uuid, $2::uuid), ($2::uuid, $1::uuid))`,
      [viewerId, otherId],
    );
    const blockers = rows.map((row) => row.blocker_id);
    return {
      blocked: blockers.includes(viewerId),
      blockedBy: blockers.includes(otherId),
      either: rows.length > 0,
    };
  }
}
