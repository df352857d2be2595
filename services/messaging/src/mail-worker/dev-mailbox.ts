import { Injectable } from '@nestjs/common';
import { DevMailCollection, type DevMailDocument } from '../store/dev-mail.schema.js';
import { Mailer, type OutgoingMail } from './mailer.js';

/** How many mails the mailbox keeps. */
const MAX_MAILS = 500;
/** How many mails come between two removals of the oldest ones. */
const REMOVE_EVERY = 50;
const NEWEST_FIRST = { sentAt: -1, _id: -1 } as const;

/** The mailbox of development: it keeps the newest mails of all receivers instead of sending them (MAIL-7). */
@Injectable()
export class DevMailbox extends Mailer {
  private taken = 0;

  constructor(private readonly rows: DevMailCollection) {
    super();
  }

  async send({ id, to, subject, text, html, date: sentAt }: OutgoingMail): Promise<void> {
    const mail = { to, subject, text, html, sentAt };
    await this.rows.raw.updateOne({ _id: id }, { $set: mail }, { upsert: true });
    if (this.taken % REMOVE_EVERY === 0) await this.removeOldest();
    this.taken += 1;
  }

  /** The mails to one address, or to all, newest first. */
  list({ to }: { to?: string } = {}): Promise<DevMailDocument[]> {
    return this.rows.find(to === undefined ? {} : { to }, { sort: NEWEST_FIRST, limit: MAX_MAILS });
  }

  async find(id: string): Promise<DevMailDocument | undefined> {
    return (await this.rows.findOne({ _id: id })) ?? undefined;
  }

  private async removeOldest(): Promise<void> {
    const newest = { projection: { sentAt: 1 }, sort: NEWEST_FIRST, limit: MAX_MAILS } as const;
    const kept = await this.rows.find({}, newest);
    if (kept.length === MAX_MAILS) await this.rows.raw.deleteMany({ sentAt: { $lt: kept.at(-1)!.sentAt } });
  }
}
