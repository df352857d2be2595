import { Injectable } from '@nestjs/common';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { Mail } from '../store/mail.js';
import { MailRepository } from '../store/mail.repository.js';
import { MailQueue } from './mail-queue.js';

/** Writes mails as rows, which the mail worker then sends (MAIL-5). */
@Injectable()
export class MailWriter {
  constructor(
    private readonly mails: MailRepository,
    private readonly queue: MailQueue,
  ) {}

  /** Once for each `onceKey`, which names the cause and has no colon. Throws for a malformed receiver. */
  write(onceKey: string, mail: Mail): Promise<void> {
    return this.writeAll(new Map([[onceKey, mail]]));
  }

  /** The same for mails of one cause, by their `onceKey`. */
  async writeAll(mails: ReadonlyMap<string, Mail>): Promise<void> {
    for (const { userId } of mails.values()) if (!isId(userId)) throw new Error(`not a user id: ${userId}`);
    const written = await this.mails.insert(mails);
    if (written.length > 0) this.queue.dispatch(written);
  }
}
