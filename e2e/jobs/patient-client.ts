import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, ApiClient } from '../support/api-client.js';

/** How long it comes again to a Pulso that refuses: longer than the window in which sign-ups are counted (LIMIT-1). */
const PATIENCE_MS = 12 * 60_000;
/** Before each read, as what waits reads again and again: an account may ask 600 times a minute. */
const READ_PAUSE_MS = 110;
const REFUSALS = new Set([429, 503]);

/** A client that waits as long as it is told to where it is refused for now, or where nobody answers. */
export class PatientClient extends ApiClient {
  override async call<T = Record<string, unknown>>(
    ...request: Parameters<ApiClient['call']>
  ): Promise<Answer<T>> {
    if (request[0] === 'GET') await delay(READ_PAUSE_MS);
    for (const until = performance.now() + PATIENCE_MS; ;) {
      const answer = await super.call<T>(...request).catch((error: unknown) => error as Error);
      const isThere = !(answer instanceof Error);
      if (isThere && !REFUSALS.has(answer.status)) return answer;
      const pauseMs = isThere ? 1000 * Number(answer.headers.get('retry-after') ?? 1) : 1000;
      if (performance.now() + pauseMs > until) {
        if (isThere) return answer;
        throw answer;
      }
      await delay(pauseMs);
    }
  }
}
