import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { osUser } from '../command-line/operator-input.js';
import { newIdAt } from '../ids/uuid-v7.js';
import type { Transaction } from '../postgres/writes.js';
import { Clock } from '../time/clock.js';

/** An operator's act: who did what to what, and why. No address and no name of a user: the record outlives accounts. */
export interface Deed {
  /** As they call themselves; the record has the user of the operating system beside it. */
  by: string;
  command: string;
  /** Ids, separated by a blank; empty where the act was about nobody. */
  subject: string;
  reason: string;
  outcome: string;
}

export interface AuditEntry extends Deed {
  at: Date;
  /** Empty in entries from before it was recorded. */
  osUser: string;
}

/** The record of operators' acts. The database refuses to change or remove its rows: see `makeAppendOnly` for what that stops. */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** In the transaction of the act, so that neither is there without the other. */
  async record({ by, command, subject, reason, outcome }: Deed, { manager }: Transaction): Promise<void> {
    const now = this.clock.now();
    await manager.query(
      `INSERT INTO audit_entries (id, at, by, os_user, command, subject, reason, outcome)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [newIdAt(now), new Date(now), by, osUser(), command, subject, reason, outcome],
    );
  }

  /** Newest first; with `subject` those about this id. */
  list({ subject, limit }: { subject?: string; limit: number }): Promise<AuditEntry[]> {
    // Both sides as the index has them.
    const which = subject === undefined ? '' : "WHERE string_to_array(subject, ' ') @> ARRAY[$2::text]";
    return this.dataSource.query(
      `SELECT at, by, os_user AS "osUser", command, subject, reason, outcome FROM audit_entries
       ${which} ORDER BY id DESC LIMIT $1`,
      subject === undefined ? [limit] : [limit, subject],
    );
  }
}
