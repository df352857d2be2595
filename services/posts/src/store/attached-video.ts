import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import type { VideoFacts } from '@pulso/contracts/media/v1/media';
import type { VideoChoice } from '@pulso/contracts/posts/v1/posts';
import { readWebUrl } from '@pulso/platform/text/web-url';
import type { FieldProblems } from '@pulso/platform/validation/field-problems';
import { type JudgedLink, judgeVideoLink } from './video-link.js';

/** The video of a post's document: an uploaded one, or a link. A post has either or none. */
export interface VideoFields {
  /** The asset of an uploaded video. */
  videoId?: string;
  /** What media has told of it (`KnownVideos`). */
  videoFacts?: VideoFacts;
  videoLink?: JudgedLink;
}

/** The names of these fields. */
export const VIDEO_FIELDS = ['videoId', 'videoFacts', 'videoLink'] as const satisfies (keyof VideoFields)[];

/** The video that an author wants in a new post: an asset, or a link that has been judged. */
export type WantedVideo = { readonly uploadId: string } | { readonly link: JudgedLink };

/** Undefined, and a problem, for a link that is no web address (POST-26). */
export function readVideo(
  { uploadId, url = '' }: VideoChoice,
  problems: FieldProblems,
): WantedVideo | undefined {
  if (uploadId !== undefined) return { uploadId };
  const address = readWebUrl(url);
  if (address !== undefined) return { link: judgeVideoLink(address) };
  problems.add('video.url', 'invalid-url', VALIDATION_MESSAGES.videoUrl);
  return undefined;
}

/** The fields of a wanted video with the facts of `granted`; undefined if it is not the one that is granted. */
export function attachVideo(wanted: WantedVideo, granted: VideoFacts | undefined): VideoFields | undefined {
  if ('link' in wanted) return { videoLink: wanted.link };
  if (granted?.id !== wanted.uploadId) return undefined;
  return { videoId: granted.id, videoFacts: factsOf(granted) };
}

export const hasVideo = ({ videoFacts, videoLink }: VideoFields) =>
  videoFacts !== undefined || videoLink !== undefined;

/** The code units of the texts of a post's video. */
export function videoTextLengthOf({ videoFacts, videoLink }: VideoFields): number {
  const { name = '', problem = '' } = videoFacts ?? {};
  const { url = '', originalUrl = '' } = videoLink ?? {};
  return name.length + problem.length + url.length + originalUrl.length;
}

/** Without fields of a newer contract, which the schema would refuse. */
export function factsOf(video: VideoFacts): VideoFacts {
  const { id, version, status, problem, name, type, bytes, durationMs, width, height } = video;
  return { id, version, status, problem, name, type, bytes, durationMs, width, height };
}
