import type { SendAsCaller } from './authorized-fetch.js';
import { rememberCaller } from './caller.js';
import type { ViewerSource } from './caller.js';

type Fetch = (request: Request) => Promise<Response>;

/** How often a call is sent again. */
const MAX_RETRIES = 2;
/** A server that asks for more time is down; the user is told instead. */
const LONGEST_WAIT_SECONDS = 5;
/** The server itself has waited 500 ms for what its answer lacks. */
const STALE_WAIT_SECONDS = 0.5;

/**
 * Sends a call again that a busy server could not answer well: a write that was answered 503 with `Retry-After` (UI-37), and a
 * read that was answered without the viewer's own latest writes (HTTP-3). What creates has an `Idempotency-Key`, and the other
 * writes may be repeated. A read that fails is repeated by its query. Who made the call stays its caller in all tries.
 */
export const sendAgain =
  (send: SendAsCaller, viewers: ViewerSource, wait: (milliseconds: number) => Promise<void> = sleep): Fetch =>
  async (request) => {
    const checkCaller = rememberCaller(viewers);
    for (let retries = 0; retries < MAX_RETRIES; retries += 1) {
      const answer = await send(request.clone(), checkCaller);
      const seconds = request.method === 'GET' ? waitForFresh(answer) : waitForRoom(answer);
      if (seconds === undefined) return answer;
      // Spread, so that those who were refused together do not come back together.
      await wait(seconds * 1000 * (1 + retries + Math.random()));
    }
    return send(request, checkCaller);
  };

const waitForFresh = ({ headers }: Response) => (headers.has('Pulso-Stale') ? STALE_WAIT_SECONDS : undefined);

function waitForRoom({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  return status === 503 && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
