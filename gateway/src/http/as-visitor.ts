import { Cancellation } from '@pulso/platform/context/cancellation';
import { runInContext } from '@pulso/platform/context/request-context';
import type { Clock } from '@pulso/platform/time/clock';
import { requestIdOf } from './request-id.js';

/** Runs `work` as somebody who is not signed in, whose calls have `budgetMs` from now on and whom nobody ends. */
export function asVisitor<T>(
  { clock, budgetMs, requestId }: { clock: Clock; budgetMs: number; requestId?: string },
  work: () => Promise<T>,
): Promise<T> {
  const context = {
    requestId: requestId ?? requestIdOf({ headers: {} }),
    authorization: undefined,
    caller: null,
    deadline: clock.now() + budgetMs,
    cancellation: new Cancellation(),
    after: [],
    wrote: [],
    traceparent: undefined,
  };
  return runInContext(context, work);
}
