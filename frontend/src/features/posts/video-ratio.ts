import type { Video } from '../../api/types.js';

/** Width to height of a video's box: as it is known, within what leaves room for a player's controls. */
export function videoRatio({ metadata }: Pick<Video, 'metadata'>): number {
  const { width, height } = metadata as { width?: number; height?: number };
  return width && height ? Math.min(Math.max(9 / 16, width / height), 21 / 9) : 16 / 9;
}
