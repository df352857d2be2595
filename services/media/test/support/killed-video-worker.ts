import { createLogger } from '@pulso/platform/logging/logger';
import { inProcessQueues } from '@pulso/platform/queue/in-process-queues';
import { startWorker } from '@pulso/platform/service/start-worker';
import { readWorkerSettings } from '@pulso/platform/service/worker-settings';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { videoWorker } from '../../src/video-worker.js';

/** A process of the video worker, which takes what is due, until it is killed. Argument: the time. */
const [now] = process.argv.slice(2) as [string];
await startWorker(videoWorker, {
  settings: readWorkerSettings(videoWorker, process.env),
  queues: inProcessQueues(),
  clock: new ManualClock(Number(now)),
  logger: createLogger({ service: 'media-video', level: 'warn' }),
});
