import { Cancellation } from '@pulso/platform/context/cancellation';
import { runInContext } from '@pulso/platform/context/request-context';
import { newId } from '@pulso/platform/ids/uuid-v7';

/** Nobody waits for an answer, and a machine that starts may be busy. */
export const CALL_BUDGET_MS = 60_000;

/** Runs rpc calls outside of an HTTP request, with `accessToken` or as a visitor. Used by the seed and by tests. */
export function callAs<T>(accessToken: string | undefined, call: () => Promise<T>): Promise<T> {
  return runInContext(
    {
      requestId: newId(),
      authorization: accessToken && `Bearer ${accessToken}`,
      caller: null,
      deadline: Date.now() + CALL_BUDGET_MS,
      cancellation: new Cancellation(),
      after: [],
      wrote: [],
      traceparent: undefined,
    },
    call,
  );
}
