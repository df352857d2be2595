import { runWorker } from '@pulso/platform/service/run-worker';
import { videoWorker } from './video-worker.js';

await runWorker(videoWorker);
