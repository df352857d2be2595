import { feedScore, RECENCY_SPAN_MS, type RankedPost } from './feed-ranking.js';
import { compareUuids, leastIdAt, parseUuid, timeOf, type UuidWords } from './uuid-words.js';

/**
 * Where a tier continues after an item of the feed: an exclusive upper bound of the remaining posts' ids, or null
 * when the whole tier ranks before that item. `bonus` in points, `asOf` in ms.
 */
export function tierStart(bonus: number, asOf: number, after: RankedPost | undefined): UuidWords | null {
  const newest = leastIdAt(asOf + 1);
  if (!after) return newest;
  const recency = after.score - feedScore(bonus, 0, RECENCY_SPAN_MS);
  if (recency > RECENCY_SPAN_MS) return newest;
  if (recency < 0) return null;
  const last = parseUuid(after.id);
  // Equal scores in this tier: posts of one millisecond, or at recency 0 all older ones.
  const equalUntil = leastIdAt(Math.max(asOf - RECENCY_SPAN_MS + recency + 1, 0));
  if (compareUuids(last, equalUntil) > 0) return equalUntil;
  if (recency === 0) return last;
  const equalFrom = leastIdAt(Math.max(asOf - RECENCY_SPAN_MS + recency, 0));
  return timeOf(last) < timeOf(equalFrom) ? equalFrom : last;
}
