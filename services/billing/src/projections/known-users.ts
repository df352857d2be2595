import { Injectable } from '@nestjs/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userStatusOf } from '@pulso/contracts/user-status';
import { ProjectionStore } from '@pulso/platform/postgres/projection-table';
import { UserProjection } from '@pulso/platform/postgres/user-projection';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { endingsOf } from '../store/ending.js';
import { EndingRepository } from '../store/ending.repository.js';
import { EndingWorker } from './ending-worker.js';

/** Billing's projection of users. A user who is no active coach ends the subscriptions to them (SUBS-12). */
@Injectable()
export class KnownUsers extends UserProjection {
  constructor(
    store: ProjectionStore,
    private readonly endings: EndingRepository,
    private readonly worker: EndingWorker,
  ) {
    super(store);
  }

  /**
   * Only orders the endings: there may be many subscriptions. A row that a rebuild removes ends nothing, because an ending
   * cannot be taken back, and nobody can subscribe to a user who is not known.
   */
  protected override async afterRowWritten(
    [userId]: readonly string[],
    state: UserState | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (!state) return;
    for (const ending of endingsOf({ status: userStatusOf(state), isCoach: state.isCoach })) {
      const isOrdered = await this.endings.order({ ...ending, userId: userId! }, transaction);
      if (isOrdered) transaction.afterCommit.push(() => this.worker.nudge());
    }
  }
}
