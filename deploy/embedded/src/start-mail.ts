import type { DevMailbox as MailboxOfGateway } from '@pulso/gateway/dev-mail/dev-mailbox';
import { databaseUrlSetting } from '@pulso/platform/service/service-settings';
import { type RunningWorker, startWorker, type WorkerStart } from '@pulso/platform/service/start-worker';
import { readWorkerSettings } from '@pulso/platform/service/worker-settings';
import { DevMailbox, MailWork, WORKERS } from '@pulso/registry/workers';
import type { PulsoOptions } from './compose-pulso.js';

const definition = WORKERS['messaging-mail'];

type MailOptions = Pick<PulsoOptions, 'databases' | 'secrets' | 'env' | 'publicUrl'>;

/**
 * What the mail worker reads besides the settings of its mail server in `env`. Without that server the mails stay in the
 * mailbox of development (MAIL-7).
 */
export const mailEnvironment = ({
  databases,
  secrets,
  env = {},
  publicUrl,
}: MailOptions): Record<string, string> => ({
  [databaseUrlSetting(definition.service.name)]: databases.messaging,
  MAIL_OPENING_KEYS: JSON.stringify(secrets.mailSealingKeys),
  PUBLIC_URL: publicUrl,
  MAIL_TRANSPORT: env.SMTP_URL ? 'smtp' : 'mailbox',
});

/**
 * The mail worker within this process, and the mailbox of development if mails stay there; in production nobody is shown it
 * (MAIL-7). It is the only one on its data directory, so what a killed process had begun to send is its own at once. Throws
 * ConfigError.
 */
export async function startMail(
  options: MailOptions,
  around: Omit<WorkerStart, 'settings'>,
): Promise<{ worker: RunningWorker; mailbox: MailboxOfGateway | undefined }> {
  const made = mailEnvironment(options);
  const settings = readWorkerSettings(definition, { ...options.env, ...made });
  const worker = await startWorker(definition, { ...around, settings });
  await worker
    .get(MailWork)
    .takeOver()
    .catch(async (error: unknown) => {
      await worker.close();
      throw error;
    });
  const isShown = made.MAIL_TRANSPORT === 'mailbox' && options.env?.NODE_ENV !== 'production';
  return { worker, mailbox: isShown ? shown(worker.get(DevMailbox)) : undefined };
}

type Stored = Awaited<ReturnType<DevMailbox['list']>>[number];

const shown = (mailbox: DevMailbox): MailboxOfGateway => ({
  list: async (filter) => (await mailbox.list(filter)).map(toMail),
  async find(id) {
    const found = await mailbox.find(id);
    return found ? toMail(found) : undefined;
  },
});

const toMail = ({ _id: id, ...mail }: Stored) => ({ id, ...mail });
