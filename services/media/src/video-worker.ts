import { defineWorker } from '@pulso/platform/service/define-worker';
import { media } from './service.js';
import { VideoSettings } from './video-worker/video-settings.js';
import { VideoWork } from './video-worker/video-work.js';
import { VideoWorkerModule } from './video-worker/video-worker.module.js';

/** Prepares uploaded videos, which media has written as rows (MEDIA-11). */
export const videoWorker = defineWorker({
  name: 'media-video',
  service: media,
  settings: VideoSettings,
  module: VideoWorkerModule,
  works: [VideoWork],
});
