import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { KnownUsers } from '../projections/known-users.js';
import { type QueuedReport, ReportQueue } from '../store/report-queue.js';
import { DecisionRepository } from '../store/decision.repository.js';
import type { LoggedDecision } from '../store/logged-decision.entity.js';

const LATEST = 5;

/** What social knows of an account for moderators. */
export interface AccountRecord {
  id: string;
  username: string;
  status: 'active' | 'suspended' | 'deleted';
  followers: number;
  following: number;
  reviews: number;
  /** Reports about the account itself, open and resolved ones. */
  reported: number;
  /** Reports that the account has made: all, those that are open, and those that were dismissed. */
  made: { all: number; open: number; dismissed: number };
  /** The latest decisions about the account, newest first. */
  decisions: readonly LoggedDecision[];
  /** The latest reports about the account, newest first. */
  reports: readonly QueuedReport[];
}

/** The standing of an account and the latest reports about it (PEOPLE-36). */
@Injectable()
export class AccountRecords {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: KnownUsers,
    private readonly queue: ReportQueue,
    private readonly decisions: DecisionRepository,
  ) {}

  /** By id or present username. Throws `not-found`. */
  async of(named: string): Promise<AccountRecord> {
    const id = await this.users.idOf(named);
    const counted = 'SELECT count(*)::integer FROM';
    const [[row], decisions, reports] = await Promise.all([
      this.dataSource.query<Omit<AccountRecord, 'decisions' | 'reports'>[]>(
        `SELECT u.id, u.username, u.status,
           (${counted} follows WHERE target_id = u.id AND deleted_at IS NULL) AS followers,
           (${counted} follows WHERE follower_id = u.id AND deleted_at IS NULL) AS following,
           (${counted} reviews WHERE coach_id = u.id AND deleted_at IS NULL) AS reviews,
           (${counted} reports WHERE subject_type = 'user' AND subject_id = u.id) AS reported,
           (SELECT json_build_object('all', count(*), 'open', count(*) FILTER (WHERE resolved_at IS NULL),
              'dismissed', count(*) FILTER (WHERE resolution = 'dismissed')) FROM reports WHERE reporter_id = u.id) AS made
         FROM known_users u WHERE u.id = $1`,
        [id],
      ),
      this.decisions.list({ subjectId: id, limit: LATEST }),
      this.queue.list({ resolved: true, subjectId: id, newestFirst: true, limit: LATEST }),
    ]);
    return { ...row!, decisions, reports };
  }
}
