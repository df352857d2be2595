import { STOP_LIMIT_MS } from '../jobs/polling-loop.js';
import type { Logger } from '../logging/logger.js';
import { backoffMs } from '../time/backoff.js';
import { orAfter } from '../time/or-after.js';
import { askWithin } from './ask-within.js';
import type { ForeignCallEnds } from './foreign-call-ends.js';
import { foreignCallErrorText } from './foreign-call-error-text.js';
import type { ForeignCallMetrics } from './foreign-call-metrics.js';
import type { CallRow, TakenCall } from './foreign-call-row.js';
import { type ForeignCallRows, REST_MS } from './foreign-call-rows.js';
import { type AnyKind, type Attempt, makeForeignCall, type Verdict } from './make-foreign-call.js';
import { nextSentKey } from './sent-key.js';

const BACKOFF = { firstMs: 2_000, longestMs: REST_MS };
/** How often it is asked whether an abandoned call was executed after all. */
const ABANDONED_MS = 60 * 60_000;

interface Parts {
  rows: ForeignCallRows;
  ends: ForeignCallEnds;
  metrics: ForeignCallMetrics;
  logger: Logger;
  /** A call can be taken again in so many ms. */
  againIn(ms: number): void;
}

/** Makes calls that this process has taken, and stores what is known afterwards. */
export class ForeignCallAttempts {
  private readonly stop = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly parts: Parts) {}

  get stopped(): boolean {
    return this.stop.signal.aborted;
  }

  /** Makes one attempt. Never rejects: the row says how the call stands. */
  async make(kind: AnyKind, call: TakenCall): Promise<void> {
    const making = this.makeOne(kind, call);
    this.underWay.add(making);
    await making;
    this.underWay.delete(making);
  }

  /** Resolves when all attempts that are under way have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** Aborts all attempts, whose outcome is unknown then, and waits until that is stored, 3 s at most. */
  async close(): Promise<void> {
    this.stop.abort();
    await orAfter(STOP_LIMIT_MS, this.idle());
  }

  /** How a call's attempts ask the foreign system; for commands, too. */
  attemptOf(kind: AnyKind, call: CallRow): Attempt {
    const limits = { limitMs: kind.limitMs, stop: this.stop.signal };
    const { sentKey: key, apiVersion } = call;
    return {
      ask: (question, late) => askWithin(limits, (signal) => question({ key, apiVersion, signal }), late),
      lateSuccess: (outcome) => {
        this.parts.ends.store(kind, call, { outcome }).catch((err: unknown) => {
          this.parts.logger.error({ err, ...aboutOf(call) }, 'a late success could not be stored');
        });
      },
    };
  }

  private async makeOne(kind: AnyKind, call: TakenCall): Promise<void> {
    const { metrics, logger } = this.parts;
    try {
      const verdict = await makeForeignCall(kind, call, this.attemptOf(kind, call));
      metrics.attempted(kind.name, verdict.is);
      await this.store(kind, call, verdict);
    } catch (err) {
      logger.error(
        { err, ...aboutOf(call) },
        'the end of a foreign call was not stored, it will be made again',
      );
      // Where this fails, too, the call is taken again when its lease has ended.
      await this.postpone(call, err).catch((error: unknown) =>
        logger.warn({ err: error, ...aboutOf(call) }, 'a foreign call keeps its lease'),
      );
    }
  }

  private async store(kind: AnyKind, call: TakenCall, verdict: Verdict): Promise<void> {
    const { rows, ends, logger } = this.parts;
    switch (verdict.is) {
      case 'done':
        await ends.store(kind, call, { outcome: verdict.outcome });
        return;
      case 'refused':
        await ends.store(kind, call, { refusal: verdict.error });
        return;
      case 'not-executed': {
        // An earlier attempt may have been executed, or may still be.
        if (call.wasDoubtful) return this.postpone(call, verdict.error);
        const pauseMs = pauseOf(call);
        await rows.notExecuted(call, {
          sentKey: call.sentKey,
          pauseMs,
          error: foreignCallErrorText(verdict.error),
        });
        return this.parts.againIn(pauseMs);
      }
      case 'nothing-made': {
        const pauseMs = verdict.error === undefined ? 0 : pauseOf(call);
        const error =
          verdict.error === undefined
            ? 'the foreign system has made nothing of it'
            : foreignCallErrorText(verdict.error);
        await rows.notExecuted(call, { sentKey: nextSentKey(call.sentKey), pauseMs, error });
        return this.parts.againIn(pauseMs);
      }
      case 'unknown':
        return this.postpone(call, verdict.error);
      case 'abandoned': {
        const error = foreignCallErrorText(verdict.error);
        logger.error(
          { ...aboutOf(call), error },
          'a foreign call is abandoned: its outcome is unknown, and the foreign system may have forgotten the key',
        );
        return rows.postpone(call, { state: 'abandoned', pauseMs: ABANDONED_MS, error });
      }
    }
  }

  private async postpone(call: TakenCall, err: unknown): Promise<void> {
    const { rows, logger, againIn } = this.parts;
    const [pauseMs, error] = [pauseOf(call), foreignCallErrorText(err)];
    logger.warn({ ...aboutOf(call), error, pauseMs }, 'the outcome of a foreign call is unknown');
    const state = call.state === 'abandoned' ? 'abandoned' : 'pending';
    await rows.postpone(call, { state, pauseMs, error });
    againIn(pauseMs);
  }
}

const pauseOf = ({ attempts }: TakenCall) => backoffMs(attempts, BACKOFF);

const aboutOf = ({ kind, caller, key, attempts }: CallRow) => ({ kind, caller, key, attempts });
