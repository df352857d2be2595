import type { ApiPost } from './api-client.js';

const HOUR = 3_600_000;
const BONUS = { followed: 2000, own: 1500 };

/** The relations that rank one viewer's feed; user ids. */
export interface Relations {
  viewerId: string;
  following: ReadonlySet<string>;
  /** Blocked in either direction. */
  blocked: ReadonlySet<string>;
}

/** The ids of the viewer's whole feed by FEED-1 to FEED-5, by a plain sort and without subscriptions. */
export function oracleFeed(posts: readonly ApiPost[], relations: Relations, now = Date.now()): string[] {
  const { viewerId, following, blocked } = relations;
  const bonusOf = (authorId: string) =>
    authorId === viewerId ? BONUS.own : following.has(authorId) ? BONUS.followed : 0;
  const score = ({ author, createdAt }: ApiPost) =>
    bonusOf(author.id) * HOUR +
    Math.min(1000 * HOUR, Math.max(0, 1000 * HOUR - (now - Date.parse(createdAt))));
  return posts
    .filter(({ author }) => !blocked.has(author.id))
    .filter(({ author, visibility }) => visibility === 'public' || bonusOf(author.id) > 0)
    .sort(
      (a, b) =>
        score(b) - score(a) || Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? 1 : -1),
    )
    .map(({ id }) => id);
}
