import { Injectable } from '@nestjs/common';
import type { SealedNotice } from '@pulso/contracts/identity/v1/events';
import { accountNoticeTopic } from '@pulso/contracts/topics/identity';
import { MessageSealer } from '@pulso/platform/auth/sealed-message';
import { nextVersion } from '@pulso/platform/events/version';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { AccountNotice, type NoticeKind, toAccountNoticeState } from './account-notice.entity.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** How long its mail is worth sending: one with a link no longer than that works, but the welcome, which has more to say. */
const LIFE_MS: Readonly<Record<NoticeKind, number>> = {
  welcome: 3 * DAY_MS,
  'verify-email': DAY_MS,
  'reset-password': HOUR_MS,
  'email-changed': 3 * DAY_MS,
  'new-sign-in': 3 * DAY_MS,
  'passkey-added': 3 * DAY_MS,
  'passkey-removed': 3 * DAY_MS,
  'password-changed': 3 * DAY_MS,
};

/** A mail about the account, sealed and not written yet. */
export interface SealedMail {
  kind: NoticeKind;
  sealed: string;
  /** SHA-256 of the address that it goes to, where the mails to an address are counted. */
  toHash?: Buffer;
}

/**
 * Hands mails about accounts to messaging. What they say is sealed for the mail worker: outside of it no row, event or log has the
 * address or the token of such a mail.
 */
@Injectable()
export class AccountNotices {
  constructor(
    private readonly sealer: MessageSealer,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Call it before the transaction that tells the notice, which need not wait for it. */
  async seal(kind: NoticeKind, fields: Partial<SealedNotice>): Promise<SealedMail> {
    return { kind, sealed: await this.sealer.seal(Buffer.from(JSON.stringify(fields))) };
  }

  /** The user gets the mail if the transaction commits. */
  async tell(userId: string, mail: SealedMail, transaction: Transaction): Promise<void> {
    const now = this.clock.now();
    const notice: AccountNotice = {
      ...mail,
      toHash: mail.toHash ?? null,
      id: newId(),
      userId,
      createdAt: now,
      expiresAt: now + LIFE_MS[mail.kind],
      version: nextVersion(undefined, this.clock),
    };
    await transaction.manager.getRepository(AccountNotice).insert(notice);
    await transaction.publish(accountNoticeTopic, toAccountNoticeState(notice));
  }

  /** How many of a kind a user was told since `since`, which is not longer ago than such a mail is worth sending. */
  async countSince(
    kind: NoticeKind,
    userId: string,
    since: number,
    { manager }: Transaction,
  ): Promise<number> {
    const [row] = await manager.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM account_notices WHERE user_id = $1 AND kind = $2 AND created_at > $3',
      [userId, kind, new Date(since)],
    );
    return row!.count;
  }

  /**
   * How many users but one were told a kind by mails to one address since `since`. Whatever counts those of this address waits until
   * the transaction ends, so that no two are both the last one allowed.
   */
  async countSenders(
    kind: NoticeKind,
    { toHash, exceptOf }: { toHash: Buffer; exceptOf: string },
    since: number,
    { manager }: Transaction,
  ): Promise<number> {
    const lock = `identity.mails-to.${toHash.toString('hex')}`;
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
    const [row] = await manager.query<{ count: number }[]>(
      `SELECT count(DISTINCT user_id)::int AS count FROM account_notices
       WHERE to_hash = $1 AND kind = $2 AND user_id <> $3 AND created_at > $4`,
      [toHash, kind, exceptOf, new Date(since)],
    );
    return row!.count;
  }

  /** Deletes those that have expired: nothing is published again that would not be sent. */
  async purge(stopping: AbortSignal): Promise<void> {
    const expired = { table: 'account_notices', where: 'expires_at <= $1', oldestBy: 'expires_at' };
    await deleteInBatches(
      this.dataSource,
      { ...expired, parameters: [new Date(this.clock.now())] },
      stopping,
    );
  }
}
