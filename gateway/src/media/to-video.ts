import type { Video as VideoMessage, VideoFacts } from '@pulso/contracts/media/v1/media';
import { VideoStatus } from '@pulso/contracts/media/v1/media';
import { required } from '../user-ref/to-user-ref.js';
import type { UploadedVideo } from './video.dto.js';

const STATUS = new Map<VideoStatus, UploadedVideo['status']>([
  [VideoStatus.VIDEO_STATUS_PROCESSING, 'processing'],
  [VideoStatus.VIDEO_STATUS_READY, 'ready'],
  [VideoStatus.VIDEO_STATUS_FAILED, 'failed'],
]);

/** An uploaded video; its addresses are empty unless it is ready. */
export function toVideo(
  facts: VideoFacts,
  { url, thumbnail }: { url: string; thumbnail: string },
): UploadedVideo {
  const { id, problem, durationMs, bytes: size, name, type, width, height } = facts;
  return {
    ...{ type: 'upload', id, status: required(STATUS.get(facts.status), 'status'), url, thumbnail },
    problem: problem === '' ? null : problem,
    metadata: { duration: durationMs / 1000, size, name, type, width, height },
  };
}

/** As its owner sees it. */
export const toOwnVideo = ({ facts, url, thumbnail }: VideoMessage): UploadedVideo =>
  toVideo(required(facts, 'facts'), { url, thumbnail });
