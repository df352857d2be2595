import { queue } from '@pulso/platform/queue/queue';

/** Brings the ids of mails' rows to the mail worker. */
export class MailQueue extends queue('messaging-mail') {}
