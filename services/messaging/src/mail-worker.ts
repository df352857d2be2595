import { defineWorker } from '@pulso/platform/service/define-worker';
import { MailSettings } from './mailing/mail-settings.js';
import { MailWork } from './mailing/mail-work.js';
import { MailWorkerModule } from './mailing/mail-worker.module.js';
import { messaging } from './service.js';

/** Sends the mails that messaging has written as rows (MAIL-5). */
export const mailWorker = defineWorker({
  name: 'messaging-mail',
  service: messaging,
  settings: MailSettings,
  module: MailWorkerModule,
  works: [MailWork],
});
