import { Injectable } from '@nestjs/common';
import type { ContactState } from '@pulso/contracts/identity/v1/events';
import { contactTopic } from '@pulso/contracts/topics/identity';
import { userStatusOf } from '@pulso/contracts/user-status';
import type { Reaction } from '@pulso/platform/events/projection';
import { Clock } from '@pulso/platform/time/clock';
import { isNews } from '../store/mail.js';
import { welcomeKey } from './account-mails.reaction.js';
import { MailWriter } from './mail-writer.js';

/**
 * Welcomes the new accounts of earlier versions, once (MAIL-1); an account notice welcomes all others (`AccountMails`). A change of
 * an older account is no sign-up.
 */
@Injectable()
export class WelcomeMail implements Reaction<ContactState> {
  readonly name = 'welcome-mail';
  readonly topic = contactTopic;

  constructor(
    private readonly writer: MailWriter,
    private readonly clock: Clock,
  ) {}

  async handle(state: ContactState): Promise<void> {
    const { id: userId, createdAt, welcomedByNotice } = state;
    if (welcomedByNotice) return;
    if (userStatusOf(state) !== 'active' || !isNews(createdAt, this.clock.now())) return;
    await this.writer.write(welcomeKey(userId), { kind: 'welcome', userId, facts: {} });
  }
}
