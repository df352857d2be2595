/** Ends what plays at the moment. */
let stopCurrent: (() => void) | undefined;

/** Called by a player when it begins to play; `stop` ends it when the next one begins. */
export function playsNow(stop: () => void): void {
  if (stopCurrent !== stop) stopCurrent?.();
  stopCurrent = stop;
}

/** It has left the page, or has ended by itself. */
export function playsNoMore(stop: () => void): void {
  if (stopCurrent === stop) stopCurrent = undefined;
}
