import type { ProbeFault, VideoFacts } from '../../../server/videos/probe-video.js';
import { whenViewerChanges } from '../../../server/session/when-viewer-changes.js';

/** What this page has found out of a video that was chosen here. */
interface OwnVideo {
  facts?: VideoFacts;
  /** The address of its picture. */
  poster?: string;
  /** What could not be read. */
  fault?: ProbeFault;
}

/** By the key of the upload, and by the id of the video once it has one: until the server has made its own poster. */
const known = new Map<string, OwnVideo>();
const listeners = new Set<() => void>();

export const ownVideoOf = (keyOrId: string | undefined): OwnVideo | undefined =>
  keyOrId === undefined ? undefined : known.get(keyOrId);

export function subscribeToOwnVideos(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function knowOwnVideo(keyOrId: string, video: OwnVideo): void {
  known.set(keyOrId, video);
  for (const listener of listeners) listener();
}

/** The upload `key` has become the video `id`. */
export function nameOwnVideo(key: string, id: string): void {
  const video = known.get(key);
  if (video) knowOwnVideo(id, video);
}

whenViewerChanges(() => {
  for (const { poster } of new Set(known.values())) if (poster) URL.revokeObjectURL(poster);
  known.clear();
});
