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
  async write(onceKey: string, mail: Mail): Promise<void> {
    if (!isId(mail.userId)) throw new Error(`not a user id: ${mail.userId}`);
    if (await this.mails.insert(onceKey, mail)) this.queue.dispatch([onceKey]);
  }
}
