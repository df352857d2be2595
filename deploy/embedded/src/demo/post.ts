import type { Username } from './people.js';

export interface DemoComment {
  author: Username;
  /** After the post. */
  minutesLater: number;
  content: string;
  likedBy?: Username[];
}

export interface DemoPost {
  author: Username;
  /** Before the seed. */
  hoursAgo: number;
  visibility: 'public' | 'subscribers';
  content: string;
  likedBy?: Username[];
  comments?: DemoComment[];
}
