/** What each conversation waits for, and how that ends: one thing at a time, also where several pages ask. */
const stops = new Map<string, () => void>();

/** Nothing is awaited for `thread` any more. */
export function stopWait(thread: string): void {
  stops.get(thread)?.();
  stops.delete(thread);
}

/** Calls `run` when the network is back; in place of what was awaited before. */
export function onceOnline(thread: string, run: () => void): void {
  stopWait(thread);
  const end = () => {
    stopWait(thread);
    run();
  };
  window.addEventListener('online', end);
  stops.set(thread, () => window.removeEventListener('online', end));
}

/** Calls `run` after `ms`; in place of what was awaited before. */
export function onceOver(thread: string, ms: number, run: () => void): void {
  stopWait(thread);
  const timer = setTimeout(() => {
    stopWait(thread);
    run();
  }, ms);
  stops.set(thread, () => clearTimeout(timer));
}
