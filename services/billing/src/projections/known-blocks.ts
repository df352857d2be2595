import { Injectable } from '@nestjs/common';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { lockPair } from '@pulso/platform/postgres/pair-writes';
import { stop } from '../store/subscription.js';
import { SubscriptionRepository } from '../store/subscription.repository.js';

/**
 * Billing's projection of blocks. A block ends the subscriptions between the two at once (SUBS-12) and forbids new ones
 * (PEOPLE-25).
 */
@Injectable()
export class KnownBlocks extends ProjectionTable<BlockState> {
  constructor(
    store: ProjectionStore,
    private readonly subscriptions: SubscriptionRepository,
    private readonly clock: Clock,
  ) {
    super(store, {
      topic: blockTopic,
      table: 'known_blocks',
      key: ['blocker_id', 'blocked_id'],
      columns: ({ active }) => ({ active }),
    });
  }

  protected override async afterRowWritten(
    _key: readonly string[],
    state: BlockState | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (!state?.active) return;
    const { blockerId, blockedId } = state;
    await lockPair(blockerId, blockedId, transaction);
    const now = this.clock.now();
    const changes = [];
    for (const [userId, coachId] of [
      [blockerId, blockedId],
      [blockedId, blockerId],
    ] as const) {
      const before = await this.subscriptions.lock({ userId, coachId }, transaction);
      if (before?.givesAccess) changes.push({ before, after: stop(before, now) });
    }
    await this.subscriptions.saveAll(changes, 'blocked', transaction);
  }

  /** The blocks between a caller and another user. Under the pair's lock none can come meanwhile. */
  async between(
    callerId: string,
    otherId: string,
    { manager }: Transaction,
  ): Promise<{ blocked: boolean; blockedBy: boolean }> {
    const rows = await manager.query<{ blocker_id: string }[]>(
      `SELECT blocker_id FROM known_blocks
       WHERE active AND (blocker_id, blocked_id) IN (($1::uuid, $2::uuid), ($2::uuid, $1::uuid))`,
      [callerId, otherId],
    );
    const blockers = rows.map((row) => row.blocker_id);
    return { blocked: blockers.includes(callerId), blockedBy: blockers.includes(otherId) };
  }
}
