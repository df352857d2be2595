/** The files of a video; the first counts towards the quota (MEDIA-13). */
export type VideoVariant = 'video' | 'thumbnail';

/** The object of a variant. The last digits of an id are random, so the folders fill evenly. */
export const videoKeyOf = (id: string, variant: VideoVariant) => `videos/${id.slice(-2)}/${id}-${variant}`;
