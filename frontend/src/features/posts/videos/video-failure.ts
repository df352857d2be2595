import { errorText, hasCode, hasStatus, isOffline } from '../../../server/http/api-error.js';
import { VIDEO_BYTES } from '../../../server/videos/check-video.js';
import type { VideoRefusal } from '../../../server/videos/check-video.js';
import { RetryLimitError } from '../../../server/videos/retry-upload.js';
import type { VideoTexts } from './texts.js';
import { UploadCanceled } from './uploads.js';

export const refusalText = (refusal: VideoRefusal, { videos }: VideoTexts): string =>
  refusal === 'kind' ? videos.kind : videos.size(VIDEO_BYTES / 1024 ** 2);

/**
 * Why a video could not be uploaded (MEDIA-12). Undefined when the session ended, which is told once for all calls.
 * @param path of what was asked for
 */
export function videoFailure(error: unknown, path: string, texts: VideoTexts): string | undefined {
  const { videos, app } = texts;
  if (error instanceof UploadCanceled) return videos.canceled;
  if (error instanceof RetryLimitError) return isOffline(error.cause) ? app.offline : videos.retryLimit;
  if (hasCode(error, 'file-too-large')) return refusalText('size', texts);
  if (hasCode(error, 'quota-exceeded')) return videos.quotaExceeded;
  if (hasCode(error, 'unsupported-media')) return refusalText('kind', texts);
  if (hasStatus(error, 404) || hasStatus(error, 410)) return videos.notFound(path);
  if (hasStatus(error, 403)) return videos.noPermission(path);
  return errorText(error, videos.uploadFailed, texts);
}
