import { createLogger } from '@pulso/platform/logging/logger';
import { startWorker } from '@pulso/platform/service/start-worker';
import { readWorkerSettings } from '@pulso/platform/service/worker-settings';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { Registry } from 'prom-client';
import { mailWorker } from '../../src/mail-worker.js';
import { NO_QUEUES, workDue } from '../support/test-mail.js';

/** A process of the mail worker, at the time `NOW`: it does what is due, and ends. */
const worker = await startWorker(mailWorker, {
  settings: readWorkerSettings(mailWorker, process.env),
  queues: NO_QUEUES,
  clock: new ManualClock(Number(process.env['NOW'])),
  logger: createLogger({ service: 'messaging-mail', level: 'error' }),
  registry: new Registry(),
});
await workDue(worker);
await worker.close();
