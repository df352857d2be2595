import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { IsNull } from 'typeorm';
import { Report } from './report.entity.js';

@Injectable()
export class ReportRepository {
  /**
   * Stores a report. While the same reporter has an open report about the same subject, that one gets the new reason
   * and note instead (PEOPLE-34).
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

  /** Closes every open report of a reporter. Returns how many there were. */
  async resolveAllOf(
    reporterId: string,
    outcome: Pick<Report, 'resolvedAt' | 'resolution' | 'resolvedBy'>,
    { manager }: Transaction,
  ): Promise<number> {
    const { affected } = await manager
      .getRepository(Report)
      .update({ reporterId, resolvedAt: IsNull() }, outcome);
    return affected ?? 0;
  }
}
