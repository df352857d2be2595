import { Injectable } from '@nestjs/common';
import { UserEraser } from '@pulso/platform/erasure/user-eraser';
import { Writes } from '@pulso/platform/postgres/writes';
import { KnownUsers } from '../projections/known-users.js';
import { ErasureRepository } from '../store/erasure.repository.js';

/**
 * Erases follows, blocks and reviews of a user, those by others as well, and the notes of the user's reports (ACCT-32). Moderators' decisions
 * and reports stay: they protect others.
 */
@Injectable()
export class EraseSocial extends UserEraser {
  constructor(
    private readonly users: KnownUsers,
    private readonly writes: Writes,
    private readonly rows: ErasureRepository,
  ) {
    super();
  }

  async erase(userId: string, stopping: AbortSignal): Promise<boolean> {
    if (!(await this.users.isDeleted(userId))) return false;
    await this.writes.run((transaction) => this.rows.emptyNotes(userId, transaction));
    while (!stopping.aborted) {
      if ((await this.rows.eraseSome(userId)) === 0) break;
    }
    return true;
  }
}
