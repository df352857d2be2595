import { useSyncExternalStore } from 'react';
import { useTexts } from '../i18n/texts.js';
import { compactTime, dateAndTime } from './relative-time.js';

/** One clock for all: a thread has thousands of times, and most of them stay as they are for hours. */
const MINUTE = 60_000;
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

/** The time of a message (UI-38), which follows the clock. */
export function CompactTime({ time, className }: { time: string; className?: string }) {
  const texts = useTexts();
  const text = useSyncExternalStore(subscribe, () => compactTime(time, now, texts));
  return (
    <time dateTime={time} title={dateAndTime(time, texts.locale)} className={className}>
      {text}
    </time>
  );
}
