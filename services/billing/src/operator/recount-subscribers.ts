import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { Writes } from '@pulso/platform/postgres/writes';
import { BillingRows } from '../store/billing-rows.js';
import { CoachCountsRepository, type WrongCount } from '../store/coach-counts.repository.js';

/** The coaches that one transaction counts: their new subscribers wait for it. */
const COACHES_PER_BATCH = 100;

/** Counts all coaches' subscribers anew, while they are served, and corrects kept counts that differ. */
@Injectable()
export class RecountSubscribers {
  constructor(
    private readonly writes: Writes,
    private readonly counts: CoachCountsRepository,
    private readonly audit: AuditTrail,
    private readonly kept: BillingRows,
  ) {}

  async execute({ by, apply }: { by: string; apply: boolean }): Promise<{
    coaches: number;
    wrong: WrongCount[];
  }> {
    const total = { coaches: 0, wrong: [] as WrongCount[] };
    let last: string | undefined;
    do {
      const step = await this.writes.run(async (transaction) => {
        const counted = await this.counts.recount(last, COACHES_PER_BATCH, apply, transaction);
        for (const { coachId, kept, counted: found } of apply ? counted.wrong : []) {
          const outcome = `live ${kept.live} to ${found.live}, ever ${kept.ever} to ${found.ever}`;
          const reason = 'the kept counts differed from the rows';
          await this.audit.record({ by, command: 'recount', subject: coachId, reason, outcome }, transaction);
        }
        return counted;
      });
      last = step.last;
      total.coaches += step.coaches;
      total.wrong.push(...step.wrong);
    } while (last !== undefined);
    if (apply && total.wrong.length > 0) this.kept.allChanged();
    return total;
  }
}
