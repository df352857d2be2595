import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { AccessTokenSigner } from '@pulso/platform/auth/access-token';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Session } from '../store/session.entity.js';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { NamedUsers } from '../user/named-users.js';
import type { Act } from './act.js';

/** What the owner's list of sessions and the export say of it. */
const USER_AGENT = 'Export by an operator of Pulso';

export interface ExportedAccount {
  user: User;
  /** In bytes; undefined where nothing was exported. */
  size: number | undefined;
}

/** Exports an account whose owner has asked an operator for it (ACCT-35, ACCT-44). */
@Injectable()
export class ExportByOperator {
  constructor(
    private readonly writes: Writes,
    private readonly named: NamedUsers,
    private readonly sessions: SessionRepository,
    private readonly signer: AccessTokenSigner,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /**
   * `save` gets an access token of the account and returns the size of what it has saved. The token is of a session of its own, which ends
   * with this, and like any other when all sessions end. With `apply` false there is none. Throws `not-found` where no account goes by
   * this name or address now, and what `save` throws.
   */
  async execute(
    named: string,
    { apply, ...act }: Act & { apply: boolean },
    save: (accessToken: string) => Promise<number>,
  ): Promise<ExportedAccount> {
    const found = await this.named.find(named);
    const { user, session, token } = await this.writes.run(async (transaction) => {
      const account = await this.named.lock(found, named, transaction);
      if (!apply) {
        await this.audit.record({ ...deedOf(act, account), outcome: 'shown' }, transaction);
        return { user: account };
      }
      const opened = this.sessionOf(account.id);
      const signed = await this.signer.sign({ userId: account.id, sessionId: opened.id });
      opened.expiresAt += signed.expiresIn * 1_000;
      await this.sessions.insert(opened, transaction);
      await this.audit.record({ ...deedOf(act, account), outcome: 'begun' }, transaction);
      return { user: account, session: opened, token: signed.token };
    });
    if (!session) return { user, size: undefined };

    const end = (outcome: string) =>
      this.writes.run(async (transaction) => {
        await this.sessions.end({ id: session.id }, 'revoked', this.clock.now(), transaction);
        await this.audit.record({ ...deedOf(act, user), outcome }, transaction);
      });
    let size: number;
    try {
      size = await save(token);
    } catch (error) {
      await end('failed');
      throw error;
    }
    await end('exported');
    return { user, size };
  }

  /** Without a refresh token: it cannot be continued. */
  private sessionOf(userId: string): Session {
    const now = this.clock.now();
    return {
      ...{ id: newId(), userId, userAgent: USER_AGENT, address: '', generation: 0 },
      ...{ createdAt: now, passkeyAt: null, lastUsedAt: now, expiresAt: now, endedAt: null, endReason: null },
    };
  }
}

const deedOf = (act: Act, { id }: User) => ({ ...act, command: 'export', subject: id });
