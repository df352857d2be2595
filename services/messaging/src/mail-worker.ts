import { defineWorker } from '@pulso/platform/service/define-worker';
import { MailSettings } from './mail-worker/mail-settings.js';
import { MailWork } from './mail-worker/mail-work.js';
import { MailWorkerModule } from './mail-worker/mail-worker.module.js';
import { messaging } from './service.js';

/** Sends the mails that messaging has written as rows (MAIL-5). */
export const mailWorker = defineWorker({
  name: 'messaging-mail',
  service: messaging,
  settings: MailSettings,
  module: MailWorkerModule,
  works: [MailWork],
});
