import { Module } from '@nestjs/common';
import { createMessageOpener, MessageOpener } from '@pulso/platform/auth/sealed-message';
import { KnownContacts } from '../projections/known-contacts.js';
import { KnownUsers } from '../projections/known-users.js';
import { MailRepository } from '../store/mail.repository.js';
import { AddressedMails } from './addressed-mails.js';
import { DevMailbox } from './dev-mailbox.js';
import { MailSettings, smtpTargetOf } from './mail-settings.js';
import { MailWork } from './mail-work.js';
import { Mailer } from './mailer.js';
import { SealedNotices } from './sealed-notices.js';
import { SmtpMailer } from './smtp-mailer.js';

@Module({
  providers: [
    ...[KnownContacts, KnownUsers],
    ...[MailRepository, AddressedMails, SealedNotices, MailWork, DevMailbox],
    {
      provide: MessageOpener,
      useFactory: ({ MAIL_OPENING_KEYS: keys }: MailSettings) => createMessageOpener(keys),
      inject: [MailSettings],
    },
    {
      provide: Mailer,
      useFactory: (settings: MailSettings, mailbox: DevMailbox) =>
        settings.MAIL_TRANSPORT === 'mailbox' ? mailbox : new SmtpMailer(smtpTargetOf(settings)),
      inject: [MailSettings, DevMailbox],
    },
  ],
})
export class MailWorkerModule {}
