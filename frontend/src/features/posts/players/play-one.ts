/** Ends what plays at the moment. */
let stopCurrent: (() => void) | undefined;

/** Tells that something plays now: what played before is stopped by what it said of itself. */
export function playsNow(stop: () => void): void {
  if (stopCurrent !== stop) stopCurrent?.();
  stopCurrent = stop;
}

/** It has left the page, or has ended by itself. */
export function playsNoMore(stop: () => void): void {
  if (stopCurrent === stop) stopCurrent = undefined;
}
