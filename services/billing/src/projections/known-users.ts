import { Injectable } from '@nestjs/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userStatusOf } from '@pulso/contracts/user-status';
import { ProjectionStore } from '@pulso/platform/postgres/projection-table';
import { UserProjection } from '@pulso/platform/postgres/user-projection';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { endingsOf } from '../store/ending.js';
import { EndingRepository } from '../store/ending.repository.js';
import { CloseCheckouts } from '../provider-calls/close-checkouts.js';
import { EndingWorker } from './ending-worker.js';

/** Billing's projection of users. A user who is no active coach ends the subscriptions to them (SUBS-12). */
@Injectable()
export class KnownUsers extends UserProjection {
  constructor(
    store: ProjectionStore,
    private readonly endings: EndingRepository,
    private readonly worker: EndingWorker,
    private readonly checkouts: CloseCheckouts,
  ) {
    super(store);
  }

  /**
   * Only orders the endings: there may be many subscriptions. Pages to pay on are closed at once: they live an hour, and are few. A row that a rebuild removes ends nothing, because an ending
   * cannot be taken back, and nobody can subscribe to a user who is not known.
   */
  protected override async afterRowWritten(
    [userId]: readonly string[],
    state: UserState | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (!state) return;
    for (const ending of endingsOf({ status: userStatusOf(state), isCoach: state.isCoach })) {
      const of = { ...ending, userId: userId! };
      await this.checkouts.of(of, transaction);
      const isOrdered = await this.endings.order(of, transaction);
      if (isOrdered) transaction.afterCommit.push(() => this.worker.nudge());
    }
  }
}
