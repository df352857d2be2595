import { UsageError } from '@pulso/platform/command-line/run-commands';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { VideoRepository } from '../store/video.repository.js';

/** `retry-video`, for media's operators. The worker's next sweep finds the row. */
export const retryVideoCommand: ServiceCommand = {
  operands: ['<id>'],
  summary: 'makes a video that waits for its next attempt due now',
  prepare({ operands: [id = ''] }) {
    if (!isId(id)) throw new UsageError('Give the id of a video, as `videos --due` lists it.');
    return async (service) => {
      if (await service.get(VideoRepository).makeDue(id)) return [`media: ${id} is due now.`];
      throw new UsageError(
        `No video ${id} waits. The files of one that has failed are gone: its owner has to upload it again.`,
      );
    };
  },
};
