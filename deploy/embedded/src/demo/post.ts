import type { Username } from './people.js';

export interface DemoComment {
  author: Username;
  /** After the post. */
  minutesLater: number;
  content: string;
  likedBy?: Username[];
}

/** A picture of `demo-media/scenes`, with its texts. */
export interface DemoPicture {
  scene: string;
  alt: string;
  caption?: string;
}

export interface DemoPost {
  author: Username;
  /** Before the seed. */
  hoursAgo: number;
  visibility: 'public' | 'subscribers';
  content: string;
  /** 1 to 5. Posts with pictures or a video are added after the start, beside its use. */
  pictures?: DemoPicture[];
  /** A file of `demo-media`, small enough for one request (MEDIA-9). */
  video?: string;
  likedBy?: Username[];
  comments?: DemoComment[];
}
