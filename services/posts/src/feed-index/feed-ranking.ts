/** The viewer's relation to a post's author (FEED-3). */
export interface AuthorRelation {
  /** The viewer wrote it. Users cannot follow or subscribe to themselves, so no other relation applies. */
  own: boolean;
  followed: boolean;
  /** An active subscription, which gives access now. */
  subscribed: boolean;
}

/** A post's position in a viewer's feed: the score in ms (FEED-4), then the id, which contains `createdAt`. */
export interface RankedPost {
  id: string;
  score: number;
}

const HOUR_MS = 3_600_000;
/** Recency runs from 1000 points down to 0, one an hour. */
export const RECENCY_SPAN_MS = 1000 * HOUR_MS;

const SUBSCRIBED_BONUS = 3000;
const FOLLOWED_BONUS = 2000;
const OWN_BONUS = 1500;

/** Points for the relation to the author; they add up (subscribed and followed = 5000); see FEED-3. */
export function authorBonus({ own, followed, subscribed }: AuthorRelation): number {
  if (own) return OWN_BONUS;
  return (subscribed ? SUBSCRIBED_BONUS : 0) + (followed ? FOLLOWED_BONUS : 0);
}

/**
 * The score in whole milliseconds, so that rounding never decides the order (FEED-4): one point is an hour. `bonus`
 * in points, `createdAt` and `asOf` (the feed's frozen clock) in ms.
 */
export function feedScore(bonus: number, createdAt: number, asOf: number): number {
  const recency = RECENCY_SPAN_MS - (asOf - createdAt);
  return bonus * HOUR_MS + Math.min(Math.max(recency, 0), RECENCY_SPAN_MS);
}
