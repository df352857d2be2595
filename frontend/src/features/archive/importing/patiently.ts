import { ApiError, NetworkError } from '../../../server/http/api-error.js';
import { pause, retryWait } from '../../../server/http/retry.js';

/** What a call waits for: an answer at all, a server that fails, or the time (ms) until which it takes no more calls. */
export type Waiting = { for: 'network' } | { for: 'server' } | { for: 'limit'; until: number };

/** Answers in a row that may pass, and do not. Some 5 minutes. */
const MOST_FAILURES = 15;
/** Where a server does not say how long, in ms. */
const LIMIT_MS = 60_000;

/** The server may take the same call later: it fails, or still works on what came before. A token is renewed by then. */
const mayPass = ({ status }: ApiError): boolean => status >= 500 || [401, 408, 423].includes(status);

function waitingFor(error: unknown): Waiting | undefined {
  if (error instanceof NetworkError) return { for: 'network' };
  if (!(error instanceof ApiError)) return undefined;
  if (error.status !== 429) return mayPass(error) ? { for: 'server' } : undefined;
  const asked = Number(error.retryAfter) * 1000;
  return { for: 'limit', until: Date.now() + (asked > 0 ? asked : LIMIT_MS) };
}

/**
 * Calls, and again for as long as it takes while there is no network or the server asks to wait (`Retry-After`); a server that
 * fails is given some minutes. Every wait is told, and its end, with undefined.
 * @throws the first failure that cannot pass, the last one of a server that fails, the signal's reason
 */
export async function patiently<Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
  tell: (waiting: Waiting | undefined) => void,
): Promise<Result> {
  let failures = 0;
  let answers = 0;
  for (;;) {
    signal.throwIfAborted();
    let waiting: Waiting | undefined;
    try {
      const result = await call();
      tell(undefined);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      waiting = waitingFor(error);
      if (!waiting) throw error;
      failures = waiting.for === 'limit' ? 0 : failures + 1;
      answers = waiting.for === 'server' ? answers + 1 : 0;
      if (answers > MOST_FAILURES) throw error;
    }
    tell(waiting);
    if (waiting.for === 'limit') await until(waiting.until, signal);
    else await pause(retryWait(failures), signal);
  }
}

/** `pause` ends early when somebody comes back to the page: the limit does not. */
async function until(time: number, signal: AbortSignal): Promise<void> {
  for (let left = time - Date.now(); left > 0 && !signal.aborted; left = time - Date.now())
    await pause(left, signal);
}
