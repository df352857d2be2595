import { Injectable } from '@nestjs/common';
import { UserEraser } from '@pulso/platform/erasure/user-eraser';
import { KnownContacts } from '../projections/known-contacts.js';
import { KnownUsers } from '../projections/known-users.js';
import { MailRepository } from '../store/mail.repository.js';
import { NotificationRepository } from '../store/notification.repository.js';

const ERASED_AT_ONCE = 500;

/**
 * Erases the notifications that a user got or caused, and the user's mails (ACCT-32). Messages stay, under 'Deleted user' (MSG-11): they
 * are the other one's conversation, too.
 */
@Injectable()
export class EraseMessaging extends UserEraser {
  constructor(
    private readonly users: KnownUsers,
    private readonly contacts: KnownContacts,
    private readonly notifications: NotificationRepository,
    private readonly mails: MailRepository,
  ) {
    super();
  }

  async erase(userId: string, stopping: AbortSignal): Promise<boolean> {
    if (!(await this.users.isDeleted(userId))) return false;
    // It has the address.
    const contact = await this.contacts.get(userId);
    if (contact && contact.status !== 'deleted') return false;
    while (!stopping.aborted && (await this.notifications.eraseSome(userId, ERASED_AT_ONCE)) > 0);
    while (!stopping.aborted && (await this.mails.eraseSome(userId, ERASED_AT_ONCE)) > 0);
    return true;
  }
}
