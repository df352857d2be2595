import { Cancellation } from '../src/context/cancellation.js';
import { runInContext, type RequestContext } from '../src/context/request-context.js';

/** The context of a visitor's request without a deadline; `fields` override its values. */
export function aContext(fields: Partial<RequestContext> = {}): RequestContext {
  return {
    requestId: 'request-1',
    authorization: undefined,
    caller: null,
    deadline: Infinity,
    cancellation: new Cancellation(),
    after: [],
    wrote: [],
    traceparent: undefined,
    ...fields,
  };
}

/** Runs `work` in a request of the caller. */
export function inContext<T>(
  caller: RequestContext['caller'],
  work: () => T,
  fields: Partial<RequestContext> = {},
): T {
  return runInContext(aContext({ caller, ...fields }), work);
}
