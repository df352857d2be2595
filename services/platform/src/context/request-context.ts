import { AsyncLocalStorage } from 'node:async_hooks';
import { notAuthenticated } from '../errors/domain-error.js';
import type { Cancellation } from './cancellation.js';

/** A state that was written: `version` of aggregate `key` on the owner's topic. What `Pulso-After` is made of. */
export interface ConsistencyToken {
  topic: string;
  key: string;
  version: number;
}

/** Who calls, as the verified access token says. Roles are not in it: services read them from their own data. */
export interface Caller {
  userId: string;
  sessionId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** One request's ambient facts, the same in the gateway and in every service it reaches. */
export interface RequestContext {
  requestId: string;
  /** `Bearer …` as it came; forwarded so that each service verifies it itself. */
  authorization: string | undefined;
  caller: Caller | null;
  /** Milliseconds since the epoch. */
  deadline: number;
  cancellation: Cancellation;
  /** What the caller has written before and must see now. */
  after: readonly ConsistencyToken[];
  /** What this request has written, gathered on the way; returned to the gateway. */
  wrote: ConsistencyToken[];
  traceparent: string | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

export function runInContext<T>(context: RequestContext, run: () => T): T {
  return storage.run(context, run);
}

/** The context of the request being handled, or undefined outside of one (relays, jobs, boot). */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** The verified caller's user id. Throws `not-authenticated` for visitors. */
export function requireCaller(): Caller {
  const caller = storage.getStore()?.caller;
  if (!caller) throw notAuthenticated();
  return caller;
}

/** The verified caller's user id, or null for a visitor. */
export function viewerId(): string | null {
  return storage.getStore()?.caller?.userId ?? null;
}

/** Notes a committed write so that it reaches the caller's `Pulso-After`. Call it after the commit. */
export function recordWrite(mark: ConsistencyToken): void {
  storage.getStore()?.wrote.push(mark);
}
