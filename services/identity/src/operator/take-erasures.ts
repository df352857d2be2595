import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { ErasureIntake } from '../store/erasure-intake.js';
import type { Act } from './act.js';

const HOUR_MS = 60 * 60_000;

/** Lets other services' acknowledgements erase accounts for some hours, after a restore (ACCT-34). It is recorded (ACCT-44). */
@Injectable()
export class TakeErasures {
  constructor(
    private readonly writes: Writes,
    private readonly intake: ErasureIntake,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Returns until when, in ms since the epoch; 0 hours end it. */
  execute(hours: number, act: Act): Promise<number> {
    const until = this.clock.now() + hours * HOUR_MS;
    return this.writes.run(async (transaction) => {
      await this.intake.open(until, transaction);
      const outcome = hours === 0 ? 'closed' : `open until ${new Date(until).toISOString()}`;
      await this.audit.record({ ...act, command: 'take-erasures', subject: '', outcome }, transaction);
      return until;
    });
  }
}
