import type { ErrorCode } from '@pulso/contracts/error-codes';
import { DomainError, outcomeUnknown, unavailable } from '../errors/domain-error.js';
import type { Logger } from '../logging/logger.js';
import type { Transaction, Writes } from '../postgres/writes.js';
import type { Settled } from './foreign-call-kind.js';
import type { ByHand, CallRow } from './foreign-call-row.js';
import type { ForeignCallRows } from './foreign-call-rows.js';
import type { AnyKind } from './make-foreign-call.js';

/** Stores how calls have ended, each in one transaction with what its kind lets follow from that. */
export class ForeignCallEnds {
  constructor(
    private readonly rows: ForeignCallRows,
    private readonly writes: Pick<Writes, 'run'>,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns false, and does nothing, where the end is known already or is another attempt's to store. Where this version does not
   * have the kind, nothing follows.
   */
  async store(
    kind: Pick<AnyKind, 'settled'> | undefined,
    call: CallRow,
    end: Settled<unknown>,
    hand?: ByHand,
  ): Promise<boolean> {
    const stored = await this.writes.run(async (transaction) => {
      const row = await this.storeRow(transaction, call, end, hand);
      // As they are stored, so that `settled` gets the same at once as after a recovery.
      if (row)
        await kind?.settled?.(transaction, row.request, endOf(row), { caller: row.caller, key: row.key });
      return row;
    });
    if (stored && stored.sentKey !== call.sentKey) {
      const about = { kind: call.kind, caller: call.caller, key: call.key };
      this.logger.error(about, 'a foreign call has succeeded after it was taken for one without effect');
    }
    return stored !== undefined;
  }

  private storeRow(transaction: Transaction, call: CallRow, end: Settled<unknown>, hand?: ByHand) {
    if ('outcome' in end) return this.rows.done(transaction, call, end.outcome, hand);
    const { code, message } = end.refusal;
    return this.rows.refused(transaction, call, { code, message }, hand);
  }
}

function endOf({ state, ending }: CallRow): Settled<unknown> {
  return state === 'done' ? { outcome: ending } : { refusal: refusalOf(ending) };
}

function refusalOf(ending: unknown): DomainError {
  const { code, message } = ending as { code: ErrorCode; message: string };
  return new DomainError(code, message);
}

/** What callers are told of a stored call. Throws unless it is done. */
export function answerOf({ state, ending }: Pick<CallRow, 'state' | 'ending'>): unknown {
  switch (state) {
    case 'done':
      return ending;
    case 'refused':
      throw refusalOf(ending);
    case 'not-executed':
      throw unavailable();
    case 'pending':
    case 'abandoned':
      throw outcomeUnknown();
  }
}
