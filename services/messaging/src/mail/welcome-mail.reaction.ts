import { Injectable } from '@nestjs/common';
import type { ContactState } from '@pulso/contracts/identity/v1/events';
import { contactTopic } from '@pulso/contracts/topics/identity';
import { userStatusOf } from '@pulso/contracts/user-status';
import type { Reaction } from '@pulso/platform/events/projection';
import { Clock } from '@pulso/platform/time/clock';
import { isNews } from '../store/mail.js';
import { MailWriter } from './mail-writer.js';

/** Welcomes a new account, once (MAIL-1). A change of an older account is no sign-up. */
@Injectable()
export class WelcomeMail implements Reaction<ContactState> {
  readonly name = 'welcome-mail';
  readonly topic = contactTopic;

  constructor(
    private readonly writer: MailWriter,
    private readonly clock: Clock,
  ) {}

  async handle(state: ContactState): Promise<void> {
    const { id: userId, createdAt } = state;
    if (userStatusOf(state) !== 'active' || !isNews(createdAt, this.clock.now())) return;
    await this.writer.write(`welcome_${userId}`, { kind: 'welcome', userId, facts: {} });
  }
}
