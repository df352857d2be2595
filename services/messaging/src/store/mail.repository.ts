import { Injectable } from '@nestjs/common';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { type Mail, type MailKind, ROW_KEPT_MS } from './mail.js';
import { DevMailCollection } from './dev-mail.schema.js';
import { MailCollection, type MailDocument, type MailState } from './mail.schema.js';

/** A row that this worker has claimed. */
export type ClaimedMail = MailDocument & { dueAt: Date };

const PURGED_AT_ONCE = 500;
const ENDED: MailState[] = ['sent', 'dropped', 'failed'];
/** What a row needs no longer once it has ended; above all what identity has sealed in it (MAIL-13). */
const AT_ITS_END = { dueAt: '', claimedBy: '', 'facts.sealed': '' } as const;

@Injectable()
export class MailRepository {
  /** Names the claims of this process. */
  private readonly worker = newId();

  constructor(
    private readonly rows: MailCollection,
    private readonly devMails: DevMailCollection,
    private readonly clock: Clock,
  ) {}

  /** Mails by their `onceKey`. Resolves to those keys that had no row yet. */
  insert(mails: ReadonlyMap<string, Mail>): Promise<string[]> {
    const now = new Date(this.clock.now());
    const waiting = { state: 'waiting', dueAt: now, attempts: 0, createdAt: now } as const;
    return this.rows.insertNew([...mails].map(([onceKey, mail]) => ({ _id: onceKey, ...mail, ...waiting })));
  }

  /** The ids of those that are due, the longest due first. */
  async listDue(limit: number): Promise<string[]> {
    const due = { state: 'waiting', dueAt: { $lte: new Date(this.clock.now()) } } as const;
    const found = await this.rows.find(due, { projection: { _id: 1 }, sort: { dueAt: 1 }, limit });
    return found.map(({ _id }) => _id);
  }

  /** Takes a due row for `leaseMs`, or null: it is not due, has ended, or another worker has it. */
  async claim(id: string, leaseMs: number): Promise<ClaimedMail | null> {
    const now = this.clock.now();
    return (await this.rows.raw.findOneAndUpdate(
      { _id: id, state: 'waiting', dueAt: { $lte: new Date(now) } },
      { $set: { dueAt: new Date(now + leaseMs), claimedBy: this.worker }, $inc: { attempts: 1 } },
      { returnDocument: 'after' },
    )) as ClaimedMail | null;
  }

  /** Makes all rows due that others than this process have claimed. To be called only where these others have ended. */
  async takeOver(): Promise<void> {
    const others = { $exists: true, $ne: this.worker };
    const due = { $set: { dueAt: new Date(this.clock.now()) }, $unset: { claimedBy: '' } } as const;
    await this.rows.raw.updateMany({ claimedBy: others }, due);
  }

  /** How many mails of these kinds were sent to the user since then. */
  countSent(userId: string, kinds: readonly MailKind[], since: Date): Promise<number> {
    return this.rows.count({ userId, kind: { $in: [...kinds] }, state: 'sent', endedAt: { $gte: since } });
  }

  /** Sent is sent, also where the claim had run out meanwhile. */
  async markSent({ _id }: MailDocument): Promise<void> {
    const ended = { state: 'sent', endedAt: new Date(this.clock.now()) } as const;
    await this.rows.raw.updateOne(
      { _id, state: 'waiting' },
      { $set: ended, $unset: { ...AT_ITS_END, reason: '' } },
    );
  }

  /** Ends it unsent, unless the claim has run out and another worker has it. */
  async end(mail: ClaimedMail, state: 'dropped' | 'failed', reason: string): Promise<void> {
    const ended = { state, reason, endedAt: new Date(this.clock.now()) };
    await this.rows.raw.updateOne(asClaimed(mail), { $set: ended, $unset: AT_ITS_END });
  }

  /** Gives it back, to be tried again at `dueAt`. */
  async retry(mail: ClaimedMail, set: { dueAt: Date; attempts: number; reason: string }): Promise<void> {
    await this.rows.raw.updateOne(asClaimed(mail), { $set: set, $unset: { claimedBy: '' } });
  }

  /** Removes some mails of a user, at most `limit`, whatever has become of them, also from the mailbox of development. Returns how many. */
  async eraseSome(userId: string, limit: number): Promise<number> {
    const found = await this.rows.find({ userId }, { projection: { _id: 1 }, limit });
    if (found.length === 0) return 0;
    const ids = { _id: { $in: found.map(({ _id }) => _id) } };
    await this.devMails.raw.deleteMany(ids);
    await this.rows.raw.deleteMany(ids);
    return found.length;
  }

  /** Removes what ended long ago. */
  async purge(stopping: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now() - ROW_KEPT_MS);
    const old = { createdAt: { $lt: before }, state: { $in: ENDED } };
    while (!stopping.aborted) {
      const found = await this.rows.find(old, {
        projection: { _id: 1 },
        sort: { createdAt: 1 },
        limit: PURGED_AT_ONCE,
      });
      if (found.length > 0) await this.rows.raw.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      if (found.length < PURGED_AT_ONCE) return;
    }
  }
}

/** Each claim moves `dueAt`. */
const asClaimed = ({ _id, dueAt }: ClaimedMail) => ({ _id, state: 'waiting', dueAt }) as const;
