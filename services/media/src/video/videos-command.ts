import { JSON_OPTION, LIMIT_OPTION, limitOf } from '@pulso/platform/command-line/operator-input';
import { UsageError } from '@pulso/platform/command-line/run-commands';
import { linesOf } from '@pulso/platform/command-line/table';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import type { Video } from '../store/video.entity.js';
import { VideoRepository } from '../store/video.repository.js';

/** `videos`, for media's operators. */
export const videosCommand: ServiceCommand = {
  options: {
    failed: { type: 'boolean' },
    due: { type: 'boolean' },
    ...LIMIT_OPTION,
    ...JSON_OPTION,
  },
  summary:
    'lists videos, the newest first; --failed: those that cannot be shown, and why; --due: those that are neither ready nor failed, the oldest first',
  prepare(input) {
    const { failed, due, json } = input.options;
    if (failed && due) throw new UsageError('Give --failed or --due, not both.');
    const limit = limitOf(input);
    const which = failed ? 'failed' : due ? 'due' : 'all';
    return async (service) => {
      const videos = await service.get(VideoRepository).list(which, limit);
      return linesOf(videos.map(rowOf), { json: json === true, empty: 'No videos.' });
    };
  },
};

/** Names of files are their owners' business. */
const rowOf = ({ id, ownerId, status, createdAt, dueAt, attempts, bytes, problem, reason }: Video) => ({
  ...{ id, owner: ownerId, status, uploaded: new Date(createdAt).toISOString() },
  due: dueAt === null ? '' : new Date(dueAt).toISOString(),
  ...{ attempts, bytes, problem, reason },
});
