import { Injectable } from '@nestjs/common';
import { blockTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import type { Slice } from '@pulso/platform/paging/list-page';
import { afterParameters } from '@pulso/platform/postgres/after-parameters';
import { type Statement, statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Block } from './block.entity.js';
import type { ListedRow } from './fill-list.js';
import { type UserRefRow, userRefColumns } from './user-ref.js';

export type BlockListRow = UserRefRow & ListedRow;

type BlockPair = Pick<Block, 'blockerId' | 'blockedId'>;

/** Returns nothing where the block is active. */
const PUT = statement<{ version: string }>(
  'blocks.put',
  `INSERT INTO blocks AS kept (blocker_id, blocked_id, created_at, deleted_at, version)
   VALUES ($1, $2, $3, NULL, $4)
   ON CONFLICT (blocker_id, blocked_id) DO UPDATE
     SET created_at = excluded.created_at, deleted_at = NULL, version = greatest(kept.version + 1, excluded.version)
     WHERE kept.deleted_at IS NOT NULL
   RETURNING version`,
);

/** Returns nothing where no block is active. */
const LIFT = statement<{ version: string }>(
  'blocks.lift',
  `UPDATE blocks SET deleted_at = $3, version = greatest(version + 1, $4::bigint)
   WHERE blocker_id = $1 AND blocked_id = $2 AND deleted_at IS NULL
   RETURNING version`,
);

const VERSION = statement<{ version: string }>(
  'blocks.version',
  'SELECT version FROM blocks WHERE blocker_id = $1 AND blocked_id = $2',
);

const LIST = statement<BlockListRow>(
  'blocks.list',
  `SELECT b.blocked_id AS id, b.created_at AS "createdAt", ${userRefColumns('u')},
     u.status IS DISTINCT FROM 'deleted' AS shown
   FROM blocks b LEFT JOIN known_users u ON u.id = b.blocked_id
   WHERE b.blocker_id = $1 AND b.deleted_at IS NULL AND (b.created_at, b.blocked_id) < ($2, $3::uuid)
   ORDER BY b.created_at DESC, b.blocked_id DESC LIMIT $4`,
);

@Injectable()
export class BlockRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  /** Creates the block and publishes it, unless it is active. Requires the pair's lock. */
  async put(pair: BlockPair, transaction: Transaction): Promise<void> {
    await this.change(PUT, pair, true, transaction);
  }

  /** Ends the block, if there is one, and publishes that. Requires the pair's lock. */
  async lift(pair: BlockPair, transaction: Transaction): Promise<void> {
    await this.change(LIFT, pair, false, transaction);
  }

  /** The users `blockerId` has blocked, latest first. Suspended ones are `shown`, so that they can be unblocked. */
  list(blockerId: string, slice: Slice): Promise<BlockListRow[]> {
    return this.statements.rows(LIST, [blockerId, ...afterParameters(slice), slice.limit]);
  }

  private async change(
    asked: Statement<{ version: string }>,
    pair: BlockPair,
    active: boolean,
    transaction: Transaction,
  ): Promise<void> {
    const ids = [pair.blockerId, pair.blockedId];
    const now = new Date(this.clock.now());
    const [changed] = await transaction.rows(asked, [...ids, now, nextVersion(undefined, this.clock)]);
    if (changed) {
      return transaction.publish(blockTopic, { ...pair, version: Number(changed.version), active });
    }
    const [kept] = await transaction.rows(VERSION, ids);
    if (kept) transaction.recordUnchanged(blockTopic, { ...pair, version: Number(kept.version), active });
  }
}
