import { AsyncLocalStorage } from 'node:async_hooks';
import { notAuthenticated } from '../errors/domain-error.js';
import type { Cancellation } from './cancellation.js';

/** Names a written state: `version` of aggregate `key` on the owner's topic. `Pulso-After` is a list of these tokens. */
export interface ConsistencyToken {
  topic: string;
  key: string;
  version: number;
}

/** The caller, from the verified access token. It holds no roles: services read them from their own data. */
export interface Caller {
  userId: string;
  sessionId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** The context of one request, the same in the gateway and in every service that the request reaches. */
export interface RequestContext {
  requestId: string;
  /** `Bearer …` as received; forwarded so that each service verifies it itself. */
  authorization: string | undefined;
  caller: Caller | null;
  /** Milliseconds since the epoch. */
  deadline: number;
  cancellation: Cancellation;
  /** The caller's earlier writes, which this request must see. */
  after: readonly ConsistencyToken[];
  /** The writes of this request so far; returned to the gateway. */
  wrote: ConsistencyToken[];
  /** A read was answered although a projection lacked some of `after` (HTTP-3). */
  stale?: boolean;
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

/** The verified caller. Throws `not-authenticated` for visitors. */
export function requireCaller(): Caller {
  const caller = storage.getStore()?.caller;
  if (!caller) throw notAuthenticated();
  return caller;
}

/** The verified caller's user id, or null for a visitor. */
export function viewerId(): string | null {
  return storage.getStore()?.caller?.userId ?? null;
}

/**
 * Whether the request carries a token of this state. The owner has it then, so a service that does not hold it yet must
 * not answer that it does not exist (HTTP-30).
 */
export function awaitsState(topic: { readonly name: string }, key: string): boolean {
  return currentContext()?.after.some((token) => token.topic === topic.name && token.key === key) ?? false;
}

/** Records a committed write for the caller's `Pulso-After`. Call it after the commit. */
export function recordWrite(token: ConsistencyToken): void {
  storage.getStore()?.wrote.push(token);
}
