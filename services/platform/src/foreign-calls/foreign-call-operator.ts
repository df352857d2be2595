import { DomainError, notFound, unavailable } from '../errors/domain-error.js';
import { type ForeignCallAttempts } from './foreign-call-attempts.js';
import type { ForeignCallEnds } from './foreign-call-ends.js';
import { foreignCallErrorText } from './foreign-call-error-text.js';
import type { ForeignCallId } from './foreign-call-kind.js';
import type { ByHand, KnownCall, ListedCall, Listing } from './foreign-call-row.js';
import type { ForeignCallRows } from './foreign-call-rows.js';
import { type AnyKind, findForeignCall } from './make-foreign-call.js';
import { nextSentKey } from './sent-key.js';

interface Parts {
  rows: ForeignCallRows;
  ends: ForeignCallEnds;
  attempts: ForeignCallAttempts;
  kindOf(name: string): AnyKind | undefined;
}

/** How an operator says that a call has ended, for where the foreign system cannot tell. */
export type SaidEnd = { outcome: unknown } | 'refused';

export interface Settlement {
  call: KnownCall;
  /** What the foreign system says of it, in words. */
  found: string;
  /** The state that the call has afterwards, or would have. */
  then: string;
}

const conflict = (message: string) => new DomainError('conflict', message);

/** What operators see of calls to foreign systems, and do with those whose end stays unknown. */
export class ForeignCallOperator {
  constructor(private readonly parts: Parts) {}

  /** The oldest first. A call whose kind this version does not have is never made: it is `unregistered`. */
  async list(listing: Listing): Promise<ListedCall[]> {
    const calls = await this.parts.rows.list(listing);
    return calls.map((call) => {
      const isOpen = call.state === 'pending' || call.state === 'unknown' || call.state === 'abandoned';
      return isOpen && !this.parts.kindOf(call.kind) ? { ...call, state: 'unregistered' as const } : call;
    });
  }

  /**
   * Asks the foreign system what it has made of a call, and stores that as the call's end, with what follows from it. Only where it
   * cannot tell the operator's word counts. With `apply` false it only says what would happen.
   */
  async settle(
    id: ForeignCallId & { kind: string },
    said: SaidEnd | undefined,
    { apply, ...hand }: ByHand & { apply: boolean },
  ): Promise<Settlement> {
    const { rows, ends } = this.parts;
    const call = await rows.find(id);
    if (!call) throw notFound('There is no such call; foreign-calls lists them.');
    const { state } = call;
    if (state === 'done' || state === 'not-executed' || (state === 'refused' && said === 'refused'))
      throw conflict(`This call is ${call.state}: there is nothing to settle.`);
    if (call.running && !call.isDue)
      throw conflict('This call is being made just now. Try again in a minute.');
    const kind = this.parts.kindOf(call.kind);
    const [asked, found] = await this.ask(kind, call);
    if (asked === 'nothing' && said === undefined) {
      if (call.state === 'refused') return { call, found, then: 'refused' };
      if (!call.rested) throw conflict(`${found}, but the last attempt was minutes ago. Try again later.`);
      const error = `settled by ${hand.by}: ${hand.because}`;
      if (apply) await rows.notExecuted(call, { sentKey: nextSentKey(call.sentKey), pauseMs: 0, error });
      return { call, found, then: call.enqueued ? 'pending' : 'not-executed' };
    }
    const end = endOf(asked, said, found);
    if (end === undefined) return { call, found, then: call.state };
    if (apply && !(await ends.store(kind, call, end, hand)))
      throw conflict('Another attempt has begun meanwhile. Nothing is changed: look again.');
    return { call, found, then: 'outcome' in end ? 'done' : 'refused' };
  }

  private async ask(
    kind: AnyKind | undefined,
    call: KnownCall,
  ): Promise<[asked: { outcome: unknown } | 'nothing' | 'untold', words: string]> {
    if (!kind) return ['untold', 'This version has no such kind of call, and cannot ask'];
    const asked = await findForeignCall(kind, call, this.parts.attempts.attemptOf(kind, call));
    switch (asked.is) {
      case 'done':
        return [{ outcome: asked.outcome }, `It was executed: ${JSON.stringify(asked.outcome)}`];
      case 'nothing':
        return ['nothing', 'Nothing was made'];
      case 'untold':
        return ['untold', `The foreign system cannot tell: ${foreignCallErrorText(asked.error)}`];
    }
  }
}

function endOf(
  asked: { outcome: unknown } | 'nothing' | 'untold',
  said: SaidEnd | undefined,
  found: string,
): { outcome: unknown } | { refusal: DomainError } | undefined {
  if (typeof asked === 'object') {
    if (said === 'refused') throw conflict(`${found}. It cannot be settled as refused.`);
    return asked;
  }
  if (said === 'refused') return { refusal: unavailable() };
  if (said && asked === 'nothing') throw conflict(`${found}. It cannot be settled as executed.`);
  return said;
}
