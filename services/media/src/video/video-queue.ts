import { queue } from '@pulso/platform/queue/queue';

/** Brings the ids of videos that are to be processed to the video worker. */
export class VideoQueue extends queue('media-video') {}
