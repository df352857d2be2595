import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';

/** The blocks between a viewer and another user. */
export interface Blocks {
  /** The viewer has blocked the other. */
  blocked: boolean;
  /** The other has blocked the viewer. */
  blockedBy: boolean;
}

export const NO_BLOCKS: Blocks = { blocked: false, blockedBy: false };

const BETWEEN = statement<{ id: string }>(
  'blocks.between',
  `SELECT blocker_id AS id FROM blocks
   WHERE deleted_at IS NULL AND (blocker_id, blocked_id) IN (($1::uuid, $2::uuid), ($2::uuid, $1::uuid))`,
);

/** Reads the blocks between two users. */
@Injectable()
export class BlocksBetween {
  constructor(private readonly statements: Statements) {}

  /** Pass the transaction if there is one: a second connection for one request can exhaust the pool. */
  async read(viewerId: string, otherId: string, transaction?: Transaction): Promise<Blocks> {
    const rows = await (transaction ?? this.statements).rows(BETWEEN, [viewerId, otherId]);
    const blockers = rows.map(({ id }) => id);
    return { blocked: blockers.includes(viewerId), blockedBy: blockers.includes(otherId) };
  }
}
