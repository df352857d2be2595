import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { DataSource, IsNull, LessThanOrEqual, MoreThan, Not } from 'typeorm';
import { IdentityRows, sessionRow, userRow } from './identity-rows.js';
import { RefreshToken } from './refresh-token.entity.js';
import { type EndReason, Session } from './session.entity.js';
import { forgetting, superseding } from './token-family.js';

/** At most this many sessions are listed. */
export const SESSIONS_SHOWN = 100;

@Injectable()
export class SessionRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IdentityRows,
  ) {}

  /** A user's live sessions, last used first. */
  listLive(userId: string, now: number): Promise<Session[]> {
    return this.sessions().find({
      where: { userId, endedAt: IsNull(), expiresAt: MoreThan(now) },
      order: { lastUsedAt: 'DESC', id: 'DESC' },
      take: SESSIONS_SHOWN,
    });
  }

  /** The first `limit` sessions that ended after a position, in the order of their ends, then of their ids. */
  listEnded(
    after: { endedAt: number; id: string },
    limit: number,
  ): Promise<Pick<Session, 'id' | 'endedAt'>[]> {
    return this.sessions()
      .createQueryBuilder('session')
      .select(['session.id', 'session.endedAt'])
      .where('(session.endedAt, session.id) > (:endedAt, :id)', {
        endedAt: new Date(after.endedAt),
        id: after.id,
      })
      .orderBy({ 'session.endedAt': 'ASC', 'session.id': 'ASC' })
      .limit(limit)
      .getMany();
  }

  async insert(session: Session, transaction: Transaction): Promise<void> {
    await this.sessions(transaction).insert(session);
  }

  async insertToken(token: RefreshToken, transaction: Transaction): Promise<void> {
    await transaction.manager.getRepository(RefreshToken).insert(token);
  }

  /** The session of a refresh token, even when either has ended or expired; the session `named` if the token is no longer stored. */
  async findByToken(hash: Buffer, named: string | undefined): Promise<Session | null> {
    const token = await this.dataSource.getRepository(RefreshToken).findOneBy({ hash });
    const id = token?.sessionId ?? named;
    return id === undefined ? null : this.sessions().findOneBy({ id });
  }

  /**
   * A refresh token with its session, whose row stays locked until the transaction ends: all writes to one session
   * are serialised.
   */
  async lockByToken(
    hash: Buffer,
    transaction: Transaction,
  ): Promise<{ session: Session; token: RefreshToken } | undefined> {
    const tokens = transaction.manager.getRepository(RefreshToken);
    const found = await tokens.findOneBy({ hash });
    if (!found) return undefined;
    const session = await this.sessions(transaction).findOne({
      where: { id: found.sessionId },
      lock: { mode: 'for_no_key_update' },
    });
    // Read again: the previous holder of the lock may have superseded the token.
    const token = await tokens.findOneBy({ hash });
    return session && token ? { session, token } : undefined;
  }

  /** Whether a session of a user has not ended; it may have expired. */
  async isOpen({ id, userId }: Pick<Session, 'id' | 'userId'>, { manager }: Transaction): Promise<boolean> {
    const found = await manager.query<unknown[]>(
      'SELECT FROM sessions WHERE id = $1 AND user_id = $2 AND ended_at IS NULL',
      [id, userId],
    );
    return found.length > 0;
  }

  async save(session: Session, transaction: Transaction): Promise<void> {
    const { id, ...fields } = session;
    await this.sessions(transaction).update({ id }, fields);
    transaction.afterCommit.push(() => this.rows.changed(sessionRow(id)));
  }

  /** Starts the grace period of every token older than `generation`. */
  async supersede(
    sessionId: string,
    generation: number,
    now: number,
    transaction: Transaction,
  ): Promise<void> {
    const { sql, parameters } = superseding(sessionId, generation, now);
    await transaction.manager.query(sql, parameters);
  }

  /** Deletes the tokens that a family keeps no longer, before it gets one of the generation `next` (ACCT-19). */
  async forgetTokens(
    family: Pick<Session, 'id' | 'generation'>,
    next: number,
    now: number,
    transaction: Transaction,
  ): Promise<void> {
    const { sql, parameters } = forgetting(family, next, now);
    await transaction.manager.query(sql, parameters);
  }

  /** Notes that its user has shown a passkey in a session. */
  async notePasskey(id: string, now: number, transaction: Transaction): Promise<void> {
    await this.sessions(transaction).update({ id }, { passkeyAt: now });
    transaction.afterCommit.push(() => this.rows.changed(sessionRow(id)));
  }

  /** Ends a session, only one of `userId` when given. Returns false when there is none or it has already ended. */
  async end(
    session: { id: string; userId?: string },
    reason: EndReason,
    now: number,
    transaction: Transaction,
  ): Promise<boolean> {
    const { affected } = await this.sessions(transaction).update(
      { ...session, endedAt: IsNull() },
      { endedAt: now, endReason: reason },
    );
    transaction.afterCommit.push(() => this.rows.changed(sessionRow(session.id)));
    return affected === 1;
  }

  /** Ends every session of a user that has not ended, but `kept`. Returns how many; also of such as have just expired. */
  async endAll(
    userId: string,
    reason: EndReason,
    now: number,
    transaction: Transaction,
    kept?: string,
  ): Promise<number> {
    const { affected } = await this.sessions(transaction).update(
      { userId, endedAt: IsNull(), ...(kept !== undefined && { id: Not(kept) }) },
      { endedAt: now, endReason: reason },
    );
    // What is kept of a session is kept of its user, too.
    transaction.afterCommit.push(() => this.rows.changed(userRow(userId)));
    return affected!;
  }

  /** Deletes up to `limit` sessions, with their tokens, that ended or expired before `before`. */
  async purge(before: number, limit: number, transaction: Transaction): Promise<number> {
    const sessions = this.sessions(transaction);
    const stale = await sessions.find({
      select: { id: true },
      where: [{ endedAt: LessThanOrEqual(before) }, { expiresAt: LessThanOrEqual(before) }],
      take: limit,
    });
    if (stale.length > 0) await sessions.delete(stale.map(({ id }) => id));
    return stale.length;
  }

  /** Deletes tokens that expired before `before`, of sessions that are still open. */
  async purgeTokens(before: number, stopping: AbortSignal): Promise<void> {
    const old = { table: 'refresh_tokens', where: 'expires_at <= $1', oldestBy: 'expires_at' };
    await deleteInBatches(this.dataSource, { ...old, parameters: [new Date(before)] }, stopping);
  }

  private sessions({ manager }: Pick<Transaction, 'manager'> = this.dataSource) {
    return manager.getRepository(Session);
  }
}
