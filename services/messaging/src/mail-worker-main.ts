import { runWorker } from '@pulso/platform/service/run-worker';
import { mailWorker } from './mail-worker.js';

await runWorker(mailWorker);
