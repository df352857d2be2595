import { useSyncExternalStore } from 'react';
import { useCompactTimeTexts } from './compact-time-texts.js';
import type { CompactTimeTexts } from './compact-time-texts.js';
import { DAY, HOUR, MINUTE, dateAndTime, dateAt } from './relative-time.js';

/** One clock for all: a thread has thousands of times, and most of them stay as they are for hours. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, MINUTE);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/**
 * "now", "5m", "3h", "6d", after 7 days the date: in messages (UI-38).
 * @param time ISO 8601; @param now milliseconds
 */
export function compactTime(time: string, now: number, texts: CompactTimeTexts): string {
  const age = now - Date.parse(time);
  if (age < MINUTE) return texts.compact.now;
  if (age < HOUR) return texts.compact.minutes(Math.floor(age / MINUTE));
  if (age < DAY) return texts.compact.hours(Math.floor(age / HOUR));
  if (age < 7 * DAY) return texts.compact.days(Math.floor(age / DAY));
  return dateAt(time, now, texts.locale);
}

/** The time of a message (UI-38), which follows the clock. */
export function CompactTime({ time, className }: { time: string; className?: string }) {
  const texts = useCompactTimeTexts();
  const text = useSyncExternalStore(subscribe, () => compactTime(time, now, texts));
  return (
    <time dateTime={time} title={dateAndTime(time, texts.locale)} className={className}>
      {text}
    </time>
  );
}
