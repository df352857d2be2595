import { Injectable } from '@nestjs/common';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Grounds } from '../store/decision.js';
import { DecisionRepository } from '../store/decision.repository.js';
import { ReportRepository } from '../store/report.repository.js';

/** Dismisses all open reports of one reporter, whatever they are about (PEOPLE-42). Those of others stay open. */
@Injectable()
export class DismissReports {
  constructor(
    private readonly writes: Writes,
    private readonly reports: ReportRepository,
    private readonly decisions: DecisionRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns how many reports it closed. */
  async execute(reporterId: string, grounds: Grounds): Promise<number> {
    return this.writes.run(async (transaction) => {
      const outcome = {
        resolvedAt: this.clock.now(),
        resolution: 'dismissed',
        resolvedBy: grounds.by,
      } as const;
      const closed = await this.reports.resolveAllOf(reporterId, outcome, transaction);
      if (closed > 0) await this.decisions.dismissReportsOf(reporterId, grounds, transaction);
      return closed;
    });
  }
}
