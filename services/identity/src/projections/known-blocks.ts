import { Injectable } from '@nestjs/common';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';

/**
 * Identity's projection of blocks; a block hides each user from the other (PEOPLE-23), also while social is down (PEOPLE-27).
 */
@Injectable()
export class KnownBlocks extends ProjectionTable<BlockState> {
  constructor(store: ProjectionStore) {
    super(store, {
      topic: blockTopic,
      table: 'known_blocks',
      key: ['blocker_id', 'blocked_id'],
      columns: ({ active }) => ({ active }),
    });
  }

  async blocks(blockerId: string, blockedId: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      'SELECT FROM known_blocks WHERE blocker_id = $1 AND blocked_id = $2 AND active',
      [blockerId, blockedId],
    );
    return rows.length > 0;
  }

  /** Those of the users who have blocked `blockedId`. */
  async blockersAmong(blockerIds: readonly string[], blockedId: string): Promise<Set<string>> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'SELECT blocker_id AS id FROM known_blocks WHERE blocker_id = ANY ($1::uuid[]) AND blocked_id = $2 AND active',
      [blockerIds, blockedId],
    );
    return new Set(rows.map(({ id }) => id));
  }
}

/** SQL: the ids of the users that a block, in either direction, hides from the viewer named by the parameter. */
export const hiddenFrom = (viewer: string) =>
  `SELECT blocked_id FROM known_blocks WHERE blocker_id = ${viewer} AND active
   UNION ALL SELECT blocker_id FROM known_blocks WHERE blocked_id = ${viewer} AND active`;
