import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { stageEvent } from '@pulso/platform/events/postgres-outbox';
import { blockTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import type { Clock } from '@pulso/platform/time/clock';
import { DATA_SOURCE } from '../database/data-source.js';
import { readInBatches } from '../database/read-in-batches.js';
import { afterParameters, type Slice } from '../paging/list-page.js';
import { type UserRefRow, userRefColumns } from '../projection/user-ref.js';
import { CLOCK } from '../tokens.js';
import { Block, toBlockState } from './block.entity.js';

/** The blocks between a viewer and another user. */
export interface BlocksBetween {
  /** The viewer has blocked the other. */
  blocked: boolean;
  /** The other has blocked the viewer. */
  blockedBy: boolean;
  either: boolean;
}

export interface BlockListRow extends UserRefRow {
  id: string;
  createdAt: Date;
}

@Injectable()
export class BlockRepository {
  constructor(
    @InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async between(
    viewerId: string,
    otherId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<BlocksBetween> {
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

  /** Puts the block up, with its event, unless it stands. Under the pair's lock. */
  async put(pair: Pick<Block, 'blockerId' | 'blockedId'>, transaction: EntityManager): Promise<Block> {
    const previous = await transaction.getRepository(Block).findOneBy(pair);
    if (previous && previous.deletedAt === null) return previous;
    const version = nextVersion(previous?.version, this.clock);
    return this.save({ ...pair, createdAt: this.clock.now(), deletedAt: null, version }, transaction);
  }

  /** Takes the block back, with its event. Answers null where there never was one. Under the pair's lock. */
  async lift(
    pair: Pick<Block, 'blockerId' | 'blockedId'>,
    transaction: EntityManager,
  ): Promise<Block | null> {
    const previous = await transaction.getRepository(Block).findOneBy(pair);
    if (!previous || previous.deletedAt !== null) return previous;
    const version = nextVersion(previous.version, this.clock);
    return this.save({ ...previous, deletedAt: this.clock.now(), version }, transaction);
  }

  /** Whom `blockerId` has blocked, latest first; suspended users too, so that they can be unblocked. */
  list(blockerId: string, slice: Slice): Promise<BlockListRow[]> {
    return this.dataSource.query<BlockListRow[]>(
      `SELECT b.blocked_id AS id, b.created_at AS "createdAt", ${userRefColumns('u')}
       FROM blocks b LEFT JOIN known_users u ON u.id = b.blocked_id
       WHERE b.blocker_id = $1 AND b.deleted_at IS NULL AND (b.created_at, b.blocked_id) < ($2, $3::uuid)
         AND u.status IS DISTINCT FROM 'deleted'
       ORDER BY b.created_at DESC, b.blocked_id DESC LIMIT $4`,
      [blockerId, ...afterParameters(slice), slice.limit],
    );
  }

  /** Every block there is or was, for republication. */
  all(): AsyncIterable<Block> {
    return readInBatches(this.dataSource, Block, ['blockerId', 'blockedId']);
  }

  private async save(block: Block, transaction: EntityManager): Promise<Block> {
    await transaction.getRepository(Block).upsert(block, ['blockerId', 'blockedId']);
    await stageEvent(transaction, blockTopic, toBlockState(block));
    return block;
  }
}
