/** What each conversation waits for, and how that ends: one thing at a time, also where several pages ask. */
const stops = new Map<string, () => void>();

/** Nothing is awaited for `place` any more. */
export function stopWait(place: string): void {
  stops.get(place)?.();
  stops.delete(place);
}

/** Calls `run` when the network is back; in place of what was awaited before. */
export function onceOnline(place: string, run: () => void): void {
  stopWait(place);
  const end = () => {
    stopWait(place);
    run();
  };
  window.addEventListener('online', end);
  stops.set(place, () => window.removeEventListener('online', end));
}

/** Calls `run` after `ms`; in place of what was awaited before. */
export function onceOver(place: string, ms: number, run: () => void): void {
  stopWait(place);
  const timer = setTimeout(() => {
    stopWait(place);
    run();
  }, ms);
  stops.set(place, () => clearTimeout(timer));
}
