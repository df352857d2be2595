import type { UploadedVideo, VideoLink } from '../src/api/types.js';
import { aFile } from './a-file.js';

export const aVideo = (over: Partial<UploadedVideo> = {}): UploadedVideo => ({
  type: 'upload',
  id: 'v1',
  status: 'ready',
  problem: null,
  url: '/media/v1/video',
  thumbnail: '/media/v1/thumbnail',
  metadata: { duration: 12, size: 1_200_000, name: 'run.mp4', type: 'video/mp4', width: 1280, height: 720 },
  ...over,
});

export const aVideoLink = (url: string, metadata: VideoLink['metadata'], originalUrl = url): VideoLink => ({
  type: 'url',
  url,
  originalUrl,
  metadata,
});

export const aVideoFile = (size = 1000, name = 'run.mp4', type = 'video/mp4'): File =>
  aFile(name, type, 'v'.repeat(size));
