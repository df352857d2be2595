/** How far the simulator's clock was turned ahead of the machine's. */
export interface Turned {
  id: 'clock';
  aheadMs: number;
}

/** Seconds of a day, as Stripe's times are in seconds. */
export const DAY = 86_400;

export type Interval = 'day' | 'week' | 'month' | 'year';

/**
 * The moment `count` intervals after `anchor`, both in seconds. A month after January 31 is the last day of February, and
 * two months after it March 31: the day of the anchor counts.
 */
export function after(anchor: number, interval: Interval, count: number): number {
  if (interval === 'day') return anchor + count * DAY;
  if (interval === 'week') return anchor + count * 7 * DAY;
  const start = new Date(anchor * 1000);
  const month = start.getUTCMonth() + (interval === 'year' ? 12 * count : count);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return (
    Date.UTC(
      start.getUTCFullYear(),
      month,
      Math.min(start.getUTCDate(), lastDay),
      start.getUTCHours(),
      start.getUTCMinutes(),
      start.getUTCSeconds(),
    ) / 1000
  );
}
