import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const HOUR_MS = 60 * 60_000;
/** A night's comparison begins at 3:00 UTC, or with the first process after it. */
const BEGINS_MS = 3 * HOUR_MS;
/** Renewed with each page. */
const LEASE_MS = 10 * 60_000;

export interface Night {
  /** Its date: `2026-11-28`. */
  night: string;
  /** Null while it is under way, or after it has failed. */
  endedAt: Date | null;
  customers: number;
  differences: number;
}

/** The comparisons of the nights: a night's row is also the lease of the process that makes it. */
@Injectable()
export class ReconciliationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The date of this night, if its comparison is to be made by this process. */
  async claim(now: number): Promise<string | undefined> {
    const night = new Date(now - BEGINS_MS).toISOString().slice(0, 10);
    const claimed = await this.dataSource.query<unknown[]>(
      `INSERT INTO reconciliations AS known (night, leased_until) VALUES ($1, $2)
       ON CONFLICT (night) DO UPDATE SET leased_until = excluded.leased_until
         WHERE known.ended_at IS NULL AND known.leased_until <= $3
       RETURNING 1`,
      [night, new Date(now + LEASE_MS), new Date(now)],
    );
    return claimed.length > 0 ? night : undefined;
  }

  async renew(night: string, now: number): Promise<void> {
    await this.dataSource.query('UPDATE reconciliations SET leased_until = $2 WHERE night = $1', [
      night,
      new Date(now + LEASE_MS),
    ]);
  }

  async end(night: string, found: Pick<Night, 'customers' | 'differences'>, now: number): Promise<void> {
    await this.dataSource.query(
      'UPDATE reconciliations SET ended_at = $2, customers = $3, differences = $4 WHERE night = $1',
      [night, new Date(now), found.customers, found.differences],
    );
  }

  /** The latest that has ended. */
  async last(): Promise<Night | undefined> {
    const [row] = await this.dataSource.query<Night[]>(
      `SELECT to_char(night, 'YYYY-MM-DD') AS night, ended_at AS "endedAt", customers, differences FROM reconciliations
       WHERE ended_at IS NOT NULL ORDER BY night DESC LIMIT 1`,
    );
    return row;
  }
}
