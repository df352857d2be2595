import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { NamedUsers } from '../user/named-users.js';
import type { Act } from './act.js';

/** Signs an account out of all its devices, for an operator (ACCT-44). */
@Injectable()
export class EndAllSessions {
  constructor(
    private readonly writes: Writes,
    private readonly named: NamedUsers,
    private readonly sessions: SessionRepository,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Throws `not-found` where no account goes by this name or address now. */
  async execute(named: string, act: Act): Promise<{ user: User; ended: number }> {
    const found = await this.named.find(named);
    return this.writes.run(async (transaction) => {
      // Under the lock that sign-ins take: those of before are ended, later ones are not.
      const user = await this.named.lock(found, named, transaction);
      const ended = await this.sessions.endAll(user.id, 'revoked', this.clock.now(), transaction);
      const deed = { ...act, command: 'end-sessions', subject: user.id, outcome: `${ended} ended` };
      await this.audit.record(deed, transaction);
      return { user, ended };
    });
  }
}
