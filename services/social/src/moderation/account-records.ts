import { Injectable } from '@nestjs/common';
import { KnownUsers } from '../projections/known-users.js';
import { type AccountCounts, AccountCountsRepository } from '../store/account-counts.repository.js';
import { DecisionRepository } from '../store/decision.repository.js';
import type { LoggedDecision } from '../store/logged-decision.entity.js';
import { type QueuedReport, ReportQueue } from '../store/report-queue.js';

const MAX_SHOWN = 5;

/** What social knows of an account for moderators. */
export interface AccountRecord extends AccountCounts {
  /** The latest decisions about the account, newest first. */
  decisions: readonly LoggedDecision[];
  /** The latest reports about the account, newest first. */
  reports: readonly QueuedReport[];
}

/** The standing of an account and the latest reports about it (PEOPLE-36). */
@Injectable()
export class AccountRecords {
  constructor(
    private readonly users: KnownUsers,
    private readonly accounts: AccountCountsRepository,
    private readonly queue: ReportQueue,
    private readonly decisions: DecisionRepository,
  ) {}

  /** By id or present username. Throws `not-found`. */
  async of(named: string): Promise<AccountRecord> {
    const id = await this.users.idOf(named);
    const [counts, decisions, reports] = await Promise.all([
      this.accounts.find(id),
      this.decisions.list({ subjectId: id, limit: MAX_SHOWN }),
      this.queue.list({ resolved: true, subjectId: id, newestFirst: true, limit: MAX_SHOWN }),
    ]);
    return { ...counts!, decisions, reports };
  }
}
