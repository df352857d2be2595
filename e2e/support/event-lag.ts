import { samplesOf } from './operations.js';

/** By consumer group: the number of handled events, and how many of them were handled within each bucket's seconds. */
export type HandledEvents = Map<string, Map<number, number>>;

export async function handledEvents(operationsUrls: readonly string[]): Promise<HandledEvents> {
  const all = await Promise.all(
    operationsUrls.map((url) => samplesOf(url, 'pulso_events_delay_seconds_bucket')),
  );
  const groups: HandledEvents = new Map();
  for (const { labels, value } of all.flat()) {
    const buckets = groups.get(labels.group!) ?? new Map<number, number>();
    const seconds = labels.le === '+Inf' ? Infinity : Number(labels.le);
    groups.set(labels.group!, buckets.set(seconds, (buckets.get(seconds) ?? 0) + value));
  }
  return groups;
}

/** By group: the smallest bucket, in seconds, within which 99 of 100 events were handled between two observations. */
export function lagP99(
  before: HandledEvents,
  after: HandledEvents,
): Map<string, { count: number; p99: number }> {
  const lags = new Map<string, { count: number; p99: number }>();
  for (const [group, buckets] of after) {
    const handled = [...buckets].map(
      ([seconds, value]) => [seconds, value - (before.get(group)?.get(seconds) ?? 0)] as const,
    );
    const count = Math.max(...handled.map(([, value]) => value));
    const within = handled.filter(([, value]) => value >= 0.99 * count).map(([seconds]) => seconds);
    if (count > 0) lags.set(group, { count, p99: Math.min(...within) });
  }
  return lags;
}
