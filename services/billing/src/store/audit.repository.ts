import { Injectable } from '@nestjs/common';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';

/** A change by an operator: who did what to what, and why. */
export interface Deed {
  by: string;
  command: string;
  subject: string;
  reason: string;
  outcome: string;
}

export interface AuditEntry extends Deed {
  at: Date;
}

/** The record of operators' changes; its rows are only added. */
@Injectable()
export class AuditRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** In the transaction of the change, so that neither is there without the other. */
  async record({ by, command, subject, reason, outcome }: Deed, { manager }: Transaction): Promise<void> {
    const now = this.clock.now();
    await manager.query(
      `INSERT INTO audit_entries (id, at, by, command, subject, reason, outcome)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [newIdAt(now), new Date(now), by, command, subject, reason, outcome],
    );
  }

  /** Newest first. */
  list(limit: number): Promise<AuditEntry[]> {
    return this.dataSource.query(
      'SELECT at, by, command, subject, reason, outcome FROM audit_entries ORDER BY id DESC LIMIT $1',
      [limit],
    );
  }
}
