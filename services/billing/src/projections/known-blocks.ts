import { Injectable } from '@nestjs/common';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { BlockProjection } from '@pulso/platform/postgres/block-projection';
import { lockPair } from '@pulso/platform/postgres/pair-writes';
import { ProjectionStore } from '@pulso/platform/postgres/projection-table';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { stop } from '../store/subscription.js';
import { SubscriptionRepository } from '../store/subscription.repository.js';
import { CloseCheckouts } from '../provider-calls/close-checkouts.js';
import { EndAtProvider, refundOf } from '../provider-calls/end-at-provider.js';

/**
 * Billing's projection of blocks. A block ends the subscriptions between the two at once, at the provider as well (SUBS-12),
 * closes what is being paid for them, and forbids new ones (PEOPLE-25).
 */
@Injectable()
export class KnownBlocks extends BlockProjection {
  constructor(
    store: ProjectionStore,
    private readonly subscriptions: SubscriptionRepository,
    private readonly atProvider: EndAtProvider,
    private readonly checkouts: CloseCheckouts,
    private readonly clock: Clock,
  ) {
    super(store);
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
      await this.checkouts.ofPair({ userId, coachId }, transaction);
      const before = await this.subscriptions.lock({ userId, coachId }, transaction);
      if (!before?.givesAccess) continue;
      const change = { before, after: stop(before, now) };
      await this.atProvider.follow(change, 'blocked', refundOf('blocked', userId === blockerId), transaction);
      changes.push(change);
    }
    await this.subscriptions.saveAll(changes, 'blocked', transaction);
  }
}
