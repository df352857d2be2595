import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { type OpenidLink, OpenidLinks } from '../store/openid-links.js';
import { Passkeys } from '../store/passkeys.js';
import type { Session } from '../store/session.entity.js';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { NamedUsers } from '../user/named-users.js';
import type { Act } from './act.js';

/** An account as operators see it. No secret, and no hash of one, is in it. */
export interface FoundAccount extends Pick<
  User,
  'id' | 'username' | 'name' | 'isCoach' | 'status' | 'email' | 'emailVerified' | 'pendingEmail' | 'language'
> {
  /** Milliseconds since the epoch. */
  createdAt: number;
  hasPassword: boolean;
  /** How many it has. */
  passkeys: number;
  providers: readonly OpenidLink[];
  /** The live ones, last used first; at most `SESSIONS_SHOWN`. */
  sessions: readonly Pick<Session, 'id' | 'createdAt' | 'lastUsedAt' | 'address' | 'userAgent'>[];
}

/** Shows an operator the state of an account and the ways into it, and records that it did (ACCT-44). */
@Injectable()
export class FindAccount {
  constructor(
    private readonly writes: Writes,
    private readonly named: NamedUsers,
    private readonly sessions: SessionRepository,
    private readonly links: OpenidLinks,
    private readonly passkeys: Passkeys,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /**
   * By id, present e-mail address, or present or former username; in any state. Throws `not-found`, which is recorded, too: it tells that
   * an address has no account.
   */
  async execute(named: string, act: Act): Promise<FoundAccount> {
    const user = await this.find(named, act);
    const { id, username, name, isCoach, status, language, createdAt } = user;
    const { email, emailVerified, pendingEmail, passwordHash } = user;
    const providers = await this.links.listOf(id);
    const passkeys = await this.passkeys.of(id);
    const live = await this.sessions.listLive(id, this.clock.now());
    await this.record(act, { subject: id, outcome: 'shown' });
    return {
      ...{ id, username, name, isCoach, status, email, emailVerified, pendingEmail, language, createdAt },
      ...{ hasPassword: passwordHash !== null, passkeys: passkeys.length, providers },
      sessions: live.map((session) => ({
        ...{ id: session.id, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt },
        ...{ address: session.address, userAgent: session.userAgent },
      })),
    };
  }

  private async find(named: string, act: Act): Promise<User> {
    try {
      return await this.named.find(named);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not-found')
        await this.record(act, { subject: '', outcome: 'no account' });
      throw error;
    }
  }

  private record(act: Act, found: { subject: string; outcome: string }): Promise<void> {
    const deed = { ...act, command: 'find', ...found };
    return this.writes.run((transaction) => this.audit.record(deed, transaction));
  }
}
