import type { DomainError } from '../errors/domain-error.js';
import type { Transaction } from '../postgres/writes.js';

/** Who asked for a call, and the key that they gave it: the same two mean the same call. */
export interface ForeignCallId {
  /** Such as `user:<id>` or `job:<name>`: keys of different callers never meet. */
  caller: string;
  key: string;
}

export interface ForeignCallContext {
  /** Sent to the foreign system: a hash of kind, caller and key, of 64 characters. */
  key: string;
  /** The version that the parameters were rendered for. */
  apiVersion: string;
  /** Ends before the lease does; a call must not go on after it. */
  signal: AbortSignal;
}

/**
 * How a failed call is to be taken: `refused` for good with the error for callers; `not-executed`, so that nothing will ever
 * come of this attempt; `failed`, so that it is over and the system's own error does not say what came of it; or `unknown`, for
 * time-outs and broken connections, after which it may still be under way.
 */
export type ForeignFailure =
  | { is: 'refused'; error: DomainError }
  | { is: 'not-executed' }
  | { is: 'failed' }
  | { is: 'unknown' };

/** How a call ended. */
export type Settled<Outcome> = { outcome: Outcome } | { refusal: DomainError };

/** One kind of call to a foreign system that acts once for an idempotency key. Everything stored is JSON. */
export interface ForeignCallKind<Request, Rendered, Outcome> {
  /** Stored with each call; never renamed. */
  name: string;
  apiVersion: string;
  /** Makes the parameters, once: they are stored and sent as they are, also by a later version of Pulso. */
  render(request: Request): Rendered;
  call(rendered: Rendered, context: ForeignCallContext): Promise<Outcome>;
  failure(error: unknown): ForeignFailure;
  /**
   * Whether it sets a state that `find` reads, so that making it twice is making it once, whatever the key. Where the system has
   * failed it is made again under another key, as the system would repeat its error under the first one.
   */
  setsState?: boolean;
  /** What the call has made, looked for before it is given up and where the system repeats an error of its own. */
  find(rendered: Rendered, context: ForeignCallContext): Promise<Outcome | undefined>;
  /**
   * Writes what follows from the end of the call, in the transaction that stores that end: whether the caller waited, or
   * recovery found it out hours later. Runs once for a call, and once more where a late success replaces a refusal.
   */
  settled?(
    transaction: Transaction,
    request: Request,
    end: Settled<Outcome>,
    id: ForeignCallId,
  ): Promise<void>;
  /** Of one question to the foreign system, in ms. The lease follows from it, and is longer than all that an attempt asks. */
  limitMs: number;
  /** Counted from the first call. Must end before the foreign system forgets the key: then it would act a second time. */
  giveUpAfterMs: number;
}

export interface ForeignCall<Request, Outcome> {
  /**
   * Stores the intent, in the caller's own transaction; it is called after the commit, by this process or another one. One that
   * is stored already is left as it is. Throws `idempotency-key-reused` where it had another request.
   */
  enqueue(transaction: Transaction, id: ForeignCallId, request: Request): Promise<void>;
  /**
   * Stores the intent in a transaction of its own, makes the call and resolves with its outcome; with the stored one where it
   * was made before. Throws its refusal, `unavailable` where it certainly was not executed, and `outcome-unknown` where
   * nobody knows yet: it is made again until somebody does.
   */
  run(id: ForeignCallId, request: Request): Promise<Outcome>;
}
