import { pause, retryWait } from '../http/retry.js';
import { readStream } from './event-stream.js';
import type { StreamEnd, StreamEvent } from './event-stream.js';

/** The wait in ms where there is no such endpoint: a newer server may have it. */
const NO_ENDPOINT_RETRY_MS = 5 * 60_000;

/** The wait before the next connection, in ms. One that only ended, as it does with its token, is made again within a second. */
export function waitAfter(end: StreamEnd, failures: number, random = Math.random): number {
  if (typeof end === 'object' && end.refused === 404) return NO_ENDPOINT_RETRY_MS;
  return retryWait(failures, random);
}

interface KeepOptions {
  send: (request: Request) => Promise<Response>;
  signal: AbortSignal;
  onState: (up: boolean) => void;
  onEvent: (event: StreamEvent) => void;
}

/** Keeps a connection to the events until `signal`; after each end it connects again, later with each failure (UI-64). */
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
