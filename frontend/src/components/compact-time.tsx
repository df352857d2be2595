import { useSyncExternalStore } from 'react';
import { useMessages } from '../i18n/messages.js';
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
  const messages = useMessages();
  const text = useSyncExternalStore(subscribe, () => compactTime(time, now, messages));
  return (
    <time dateTime={time} title={dateAndTime(time, messages.locale)} className={className}>
      {text}
    </time>
  );
}
