import { Injectable } from '@nestjs/common';
import { blockTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import type { Slice } from '@pulso/platform/paging/list-page';
import { afterParameters } from '@pulso/platform/postgres/after-parameters';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { Block, toBlockState } from './block.entity.js';
import type { ListedRow } from './fill-list.js';
import { type UserRefRow, userRefColumns } from './user-ref.js';

export type BlockListRow = UserRefRow & ListedRow;

@Injectable()
export class BlockRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Creates the block and publishes it, unless it is active. Requires the pair's lock. */
  async put(pair: Pick<Block, 'blockerId' | 'blockedId'>, transaction: Transaction): Promise<void> {
    const previous = await transaction.manager.getRepository(Block).findOneBy(pair);
    if (previous && previous.deletedAt === null) {
      transaction.recordUnchanged(blockTopic, toBlockState(previous));
      return;
    }
    const version = nextVersion(previous?.version, this.clock);
    await this.save({ ...pair, createdAt: this.clock.now(), deletedAt: null, version }, transaction);
  }

  /** Ends the block, if there is one, and publishes that. Requires the pair's lock. */
  async lift(pair: Pick<Block, 'blockerId' | 'blockedId'>, transaction: Transaction): Promise<void> {
    const previous = await transaction.manager.getRepository(Block).findOneBy(pair);
    if (!previous) return;
    if (previous.deletedAt !== null) {
      transaction.recordUnchanged(blockTopic, toBlockState(previous));
      return;
    }
    const version = nextVersion(previous.version, this.clock);
    await this.save({ ...previous, deletedAt: this.clock.now(), version }, transaction);
  }

  /** The users `blockerId` has blocked, latest first. Suspended ones are `shown`, so that they can be unblocked. */
  list(blockerId: string, slice: Slice): Promise<BlockListRow[]> {
    return this.dataSource.query<BlockListRow[]>(
      `SELECT b.blocked_id AS id, b.created_at AS "createdAt", ${userRefColumns('u')},
         u.status IS DISTINCT FROM 'deleted' AS shown
       FROM blocks b LEFT JOIN known_users u ON u.id = b.blocked_id
       WHERE b.blocker_id = $1 AND b.deleted_at IS NULL AND (b.created_at, b.blocked_id) < ($2, $3::uuid)
       ORDER BY b.created_at DESC, b.blocked_id DESC LIMIT $4`,
      [blockerId, ...afterParameters(slice), slice.limit],
    );
  }

  private async save(block: Block, transaction: Transaction): Promise<void> {
    await transaction.manager.getRepository(Block).upsert(block, ['blockerId', 'blockedId']);
    await transaction.publish(blockTopic, toBlockState(block));
  }
}
