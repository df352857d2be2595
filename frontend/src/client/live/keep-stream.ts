import { readStream } from './event-stream.js';
import type { StreamEnd, StreamEvent } from './event-stream.js';

/** Waits before the next connection, in ms. */
const FIRST = 1_000;
const LAST = 30_000;
/** Where there is no such endpoint: a newer server may have it. */
const WITHOUT = 5 * 60_000;

/**
 * The wait after `failures` failures in a row: 1 s, 2 s, … 30 s, of which a random half is left out, so that many clients
 * do not come back together. A connection that only ended, as it does with its token, is made again within a second.
 */
export function waitAfter(end: StreamEnd, failures: number, random = Math.random): number {
  if (typeof end === 'object' && end.refused === 404) return WITHOUT;
  const wait = failures === 0 ? FIRST : Math.min(FIRST * 2 ** (failures - 1), LAST);
  return wait * (1 - random() / 2);
}

/** Resolves after `ms`, earlier when the network or the user is back, or when it is over. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') end();
    };
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      document.removeEventListener('visibilitychange', onVisible);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    document.addEventListener('visibilitychange', onVisible);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

interface KeepOptions {
  send: (request: Request) => Promise<Response>;
  signal: AbortSignal;
  onState: (up: boolean) => void;
  onEvent: (event: StreamEvent) => void;
}

/** Keeps a connection to the events until `signal`; after each end it connects again, later with each failure. */
export async function keepStream({ send, signal, onState, onEvent }: KeepOptions): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let opened = false;
    const onOpen = () => {
      opened = true;
      onState(true);
    };
    const end = await readStream({ send, signal, onOpen, onEvent });
    if (opened) onState(false);
    failures = opened && end === 'ended' ? 0 : failures + 1;
    if (!signal.aborted) await pause(waitAfter(end, failures), signal);
  }
}
