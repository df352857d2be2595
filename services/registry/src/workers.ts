import { videoWorker } from '@pulso/media/video-worker';
import { mailWorker } from '@pulso/messaging/mail-worker';
import type { WorkerDefinition } from '@pulso/platform/service/define-worker';

export { DevMailbox } from '@pulso/messaging/mail-worker/dev-mailbox';
export { MailWork } from '@pulso/messaging/mail-worker/mail-work';

/** All workers, by name. Read by the embedded launcher and the cluster tools. */
export const WORKERS = {
  'media-video': videoWorker,
  'messaging-mail': mailWorker,
} satisfies Readonly<Record<string, WorkerDefinition>>;
