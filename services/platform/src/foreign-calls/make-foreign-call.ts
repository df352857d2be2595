import type { DomainError } from '../errors/domain-error.js';
import type { ForeignCallContext, ForeignCallKind } from './foreign-call-kind.js';
import type { TakenCall } from './foreign-call-row.js';

export type AnyKind = ForeignCallKind<unknown, unknown, unknown>;

/** What is known after an attempt. */
export type Verdict =
  | { is: 'done'; outcome: unknown }
  | { is: 'refused'; error: DomainError }
  /** Nothing will come of this attempt; of an earlier one perhaps. */
  | { is: 'not-executed'; error: unknown }
  /** Nothing has come of any attempt, and nothing will: another key may be used. */
  | { is: 'nothing-made'; error?: unknown }
  | { is: 'unknown'; error: unknown }
  /** It can be neither repeated nor found. */
  | { is: 'abandoned'; error: unknown };

/** So often a call is repeated with its key before the foreign system is believed to repeat an error that it has saved. */
const REPEATED = 5;

type Asked = { is: 'done'; outcome: unknown } | { is: 'nothing' } | { is: 'untold'; error: unknown };

/** How one attempt asks the foreign system. */
export interface Attempt {
  /**
   * Asks within the kind's limit, and until the process stops; then it rejects, whether or not the question heeds its signal. An
   * answer that comes afterwards goes to `late`.
   */
  ask<T>(question: (context: ForeignCallContext) => Promise<T>, late?: (answer: T) => void): Promise<T>;
  lateSuccess(outcome: unknown): void;
}

/**
 * Makes one attempt. It asks what an earlier one has made: before it gives up, before it believes a refusal, and where the foreign
 * system does not say how a repeated call has ended. It writes nothing.
 */
export async function makeForeignCall(kind: AnyKind, call: TakenCall, attempt: Attempt): Promise<Verdict> {
  const { wasDoubtful, rested, outOfTime, attempts, rendered } = call;
  if (outOfTime || (wasDoubtful && rested && attempts > REPEATED)) {
    const found = await findForeignCall(kind, call, attempt);
    if (found.is === 'done') return found;
    if (found.is === 'nothing' && rested) return { is: 'nothing-made' };
    if (found.is === 'nothing' && outOfTime)
      return { is: 'unknown', error: new Error('the attempt before may still be under way') };
    if (found.is === 'untold' && outOfTime) return { is: 'abandoned', error: found.error };
  }
  try {
    const make = (context: ForeignCallContext) => kind.call(rendered, context);
    const outcome = await attempt.ask(make, (late) => attempt.lateSuccess(late));
    return { is: 'done', outcome };
  } catch (error) {
    const failure = kind.failure(error);
    if (failure.is === 'not-executed') return { is: 'not-executed', error };
    if (failure.is === 'failed' && kind.setsState) return stateAfter(error, kind, call, attempt);
    if (!wasDoubtful)
      return failure.is === 'refused' ? { is: 'refused', error: failure.error } : { is: 'unknown', error };
    const found = await findForeignCall(kind, call, attempt);
    if (found.is === 'done') return found;
    if (failure.is === 'refused' && found.is === 'nothing') return { is: 'refused', error: failure.error };
    return { is: 'unknown', error };
  }
}

/** Whether the state is set that a failed attempt was to set. */
async function stateAfter(
  error: unknown,
  kind: AnyKind,
  call: TakenCall,
  attempt: Attempt,
): Promise<Verdict> {
  const found = await findForeignCall(kind, call, attempt);
  if (found.is === 'done') return found;
  // An attempt before this one may still be under way, and would set it later.
  const mayFollow = call.wasDoubtful && !call.rested;
  return found.is === 'nothing' && !mayFollow ? { is: 'nothing-made', error } : { is: 'unknown', error };
}

/** What the call has made so far. */
export async function findForeignCall(
  kind: AnyKind,
  call: Pick<TakenCall, 'rendered'>,
  attempt: Attempt,
): Promise<Asked> {
  try {
    const outcome = await attempt.ask((context) => kind.find(call.rendered, context));
    return outcome === undefined ? { is: 'nothing' } : { is: 'done', outcome };
  } catch (error) {
    return { is: 'untold', error };
  }
}
