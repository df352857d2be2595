import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { DataSource, IsNull } from 'typeorm';
import { Report } from './report.entity.js';

/** A report as it is shown to moderators. */
export interface QueuedReport extends Omit<Report, 'reporterId' | 'createdAt' | 'resolvedAt'> {
  /** The reporter's username, or their id while the projection doesn't hold them. */
  reporter: string;
  createdAt: Date;
  resolvedAt: Date | null;
}

@Injectable()
export class ReportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores a report. While the same reporter has an open report about the same subject, that one gets the new reason
   * and note instead.
   */
  async file(report: Report, { manager }: Transaction): Promise<void> {
    await manager.query(
      `INSERT INTO reports (id, reporter_id, subject_type, subject_id, reason, note, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (subject_type, subject_id, reporter_id) WHERE resolved_at IS NULL
         DO UPDATE SET reason = excluded.reason, note = excluded.note`,
      [
        report.id,
        report.reporterId,
        report.subjectType,
        report.subjectId,
        report.reason,
        report.note,
        new Date(report.createdAt),
      ],
    );
  }

  /** The moderators' queue, oldest first; with `resolved` also resolved reports. */
  queue({ resolved, limit }: { resolved: boolean; limit: number }): Promise<QueuedReport[]> {
    return this.dataSource.query<QueuedReport[]>(
      `SELECT r.id, r.subject_type AS "subjectType", r.subject_id AS "subjectId", r.reason, r.note,
         r.created_at AS "createdAt", r.resolved_at AS "resolvedAt", r.resolution, r.resolved_by AS "resolvedBy",
         coalesce(u.username, r.reporter_id::text) AS reporter
       FROM reports r LEFT JOIN known_users u ON u.id = r.reporter_id
       ${resolved ? '' : 'WHERE r.resolved_at IS NULL'}
       ORDER BY r.id LIMIT $1`,
      [limit],
    );
  }

  /** Waits for other moderators who are resolving the same report. */
  lockById(id: string, { manager }: Transaction): Promise<Report | null> {
    return manager.getRepository(Report).findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /**
   * Closes every open report about the subject, because one decision resolves all of them. Returns how many there
   * were.
   */
  async resolveAll(
    { subjectType, subjectId }: Pick<Report, 'subjectType' | 'subjectId'>,
    outcome: Pick<Report, 'resolvedAt' | 'resolution' | 'resolvedBy'>,
    { manager }: Transaction,
  ): Promise<number> {
    const { affected } = await manager
      .getRepository(Report)
      .update({ subjectType, subjectId, resolvedAt: IsNull() }, outcome);
    return affected ?? 0;
  }
}
