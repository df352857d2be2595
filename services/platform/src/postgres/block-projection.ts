import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import { type ProjectionStore, ProjectionTable } from './projection-table.js';
import { statement } from './statements.js';
import type { Transaction } from './writes.js';

const BETWEEN = statement<{ id: string }>(
  'known-blocks.between',
  `SELECT blocker_id AS id FROM known_blocks
   WHERE active AND (blocker_id, blocked_id) IN (($1::uuid, $2::uuid), ($2::uuid, $1::uuid))`,
);

/** A service's projection of blocks, in its table `known_blocks`: it holds also while social is down (PEOPLE-27). */
export abstract class BlockProjection extends ProjectionTable<BlockState> {
  constructor(store: ProjectionStore) {
    super(store, {
      topic: blockTopic,
      table: 'known_blocks',
      key: ['blocker_id', 'blocked_id'],
      columns: ({ active }) => ({ active }),
    });
  }

  /** The blocks between a caller and another user. Under the pair's lock none can come meanwhile. */
  async between(
    callerId: string,
    otherId: string,
    transaction?: Transaction,
  ): Promise<{ blocked: boolean; blockedBy: boolean }> {
    const rows = await (transaction ?? this.statements).rows(BETWEEN, [callerId, otherId]);
    const blockers = rows.map(({ id }) => id);
    return { blocked: blockers.includes(callerId), blockedBy: blockers.includes(otherId) };
  }
}

/** SQL: the ids of the users that a block, in either direction, hides from the viewer named by the parameter. */
export const hiddenFrom = (viewer: string) =>
  `SELECT blocked_id FROM known_blocks WHERE blocker_id = ${viewer} AND active
   UNION ALL SELECT blocker_id FROM known_blocks WHERE blocked_id = ${viewer} AND active`;
