import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ErrorCode } from '@pulso/contracts/error-codes';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { idempotencyInProgress, idempotencyKeyReused } from '../idempotency/idempotency-key.js';
import { Logger } from '../logging/logger.js';
import { deleteInBatches } from '../jobs/delete-in-batches.js';
import { Clock } from '../time/clock.js';

/** Longer than any call takes. Recovery does not take over a call before its lease has expired. */
const LEASE_MS = 60_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** One kind of call to a foreign system that supports idempotency keys. Request and outcome are stored as JSON. */
export interface ForeignCallKind<Request, Outcome> {
  /** Stored with each call; never renamed. */
  name: string;
  /** Called again with the same key after a crash: the foreign system must act only once for each key. */
  call(request: Request, key: string): Promise<Outcome>;
  /** The error for callers if the foreign system has refused for good; undefined if a later call may succeed. */
  refusal(error: unknown): DomainError | undefined;
  /** Counted from the first call. Must end before the foreign system forgets the key: then it would act a second time. */
  giveUpAfterMs: number;
}

export interface ForeignCall<Request, Outcome> {
  /**
   * Makes the call. If a call with this key has been made, returns that call's outcome instead. Commits by itself: do not
   * use it inside a transaction, which would stay open while the foreign system works. Throws `idempotency-in-progress`
   * while the outcome is unknown, `idempotency-key-reused` for another request, `unavailable` if the call was abandoned.
   */
  run(key: string, request: Request): Promise<Outcome>;
}

interface Row {
  key: string;
  kind: string;
  request: unknown;
  state: 'pending' | 'done' | 'failed' | 'abandoned';
  outcome: unknown;
  attempts: number;
  created_at: Date;
  same: boolean;
}

/**
 * Calls to foreign systems that take effect exactly once, also after a crash: a row with the key is committed before the
 * call, the outcome is stored after it, and a call without a stored outcome is made again with the same key.
 */
@Injectable()
export class ForeignCalls {
  private readonly kinds = new Map<string, ForeignCallKind<unknown, unknown>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Registers a kind. Call it in a provider's constructor: recovery handles only kinds that are registered at boot. */
  kind<Request, Outcome>(kind: ForeignCallKind<Request, Outcome>): ForeignCall<Request, Outcome> {
    if (this.kinds.has(kind.name)) throw new Error(`There are two kinds of foreign calls named ${kind.name}`);
    this.kinds.set(kind.name, kind as unknown as ForeignCallKind<unknown, unknown>);
    return { run: (key, request) => this.run(kind.name, key, request) as Promise<Outcome> };
  }

  /** Repeats or abandons the calls of processes that have died. Runs as a job of the service, which may abort it. */
  async recover(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const row = await this.due();
      if (!row) return;
      const { kind, key, created_at, attempts } = row;
      const definition = this.kinds.get(kind)!;
      if (created_at.getTime() + definition.giveUpAfterMs <= this.clock.now()) {
        await this.storeOutcome(kind, key, 'abandoned', null);
        this.logger.error({ kind, key, attempts }, 'a foreign call was abandoned, its outcome is unknown');
        continue;
      }
      try {
        await this.attempt(row);
      } catch (error) {
        this.logger.warn({ err: error, kind, key, attempts }, 'a foreign call failed again, will be retried');
      }
    }
  }

  /** Removes old calls whose outcome is known. */
  async purge(stopping: AbortSignal): Promise<void> {
    const old = {
      table: 'foreign_calls',
      where: "state IN ('done', 'failed') AND created_at <= $1",
      oldestBy: 'created_at',
      parameters: [new Date(this.clock.now() - KEPT_MS)],
    };
    await deleteInBatches(this.dataSource, old, stopping);
  }

  private async run(kind: string, key: string, request: unknown): Promise<unknown> {
    const now = this.clock.now();
    const inserted = await this.dataSource.query<unknown[]>(
      `INSERT INTO foreign_calls (kind, key, request, state, created_at, leased_until)
       VALUES ($1, $2, $3, 'pending', $4, $5) ON CONFLICT DO NOTHING RETURNING key`,
      [kind, key, JSON.stringify(request), new Date(now), new Date(now + LEASE_MS)],
    );
    if (inserted.length > 0) return this.attempt({ kind, key, request, attempts: 1 });
    const [row] = await this.dataSource.query<Row[]>(
      'SELECT *, request = $3::jsonb AS same FROM foreign_calls WHERE kind = $1 AND key = $2',
      [kind, key, JSON.stringify(request)],
    );
    if (!row!.same) throw idempotencyKeyReused();
    return answerOf(row!);
  }

  private async attempt(row: Pick<Row, 'kind' | 'key' | 'request' | 'attempts'>): Promise<unknown> {
    const { kind, key, request, attempts } = row;
    const definition = this.kinds.get(kind)!;
    let outcome: unknown;
    try {
      outcome = await definition.call(request, key);
    } catch (error) {
      const refusal = definition.refusal(error);
      if (refusal) {
        const { kind: errorKind, code, message } = refusal;
        return answerOf(await this.storeOutcome(kind, key, 'failed', { kind: errorKind, code, message }));
      }
      const pause = Math.min(1_000 * 2 ** attempts, LONGEST_PAUSE_MS);
      await this.dataSource.query(
        "UPDATE foreign_calls SET leased_until = $3 WHERE kind = $1 AND key = $2 AND state = 'pending'",
        [kind, key, new Date(this.clock.now() + pause)],
      );
      throw error;
    }
    return answerOf(await this.storeOutcome(kind, key, 'done', outcome));
  }

  /** Stores the outcome unless one is stored already; returns the stored row. */
  private async storeOutcome(kind: string, key: string, state: Row['state'], outcome: unknown): Promise<Row> {
    const open = state === 'abandoned' ? ['pending'] : ['pending', 'abandoned'];
    await this.dataSource.query(
      'UPDATE foreign_calls SET state = $3, outcome = $4 WHERE kind = $1 AND key = $2 AND state = ANY($5)',
      [kind, key, state, JSON.stringify(outcome), open],
    );
    const [row] = await this.dataSource.query<Row[]>(
      'SELECT * FROM foreign_calls WHERE kind = $1 AND key = $2',
      [kind, key],
    );
    return row!;
  }

  /** Leases the longest overdue call that no process is making. */
  private async due(): Promise<Row | undefined> {
    const now = this.clock.now();
    const [[row]] = await this.dataSource.query<[Row[], number]>(
      `UPDATE foreign_calls SET leased_until = $2, attempts = attempts + 1
       WHERE (kind, key) = (
         SELECT kind, key FROM foreign_calls
         WHERE state = 'pending' AND leased_until <= $1 AND kind = ANY($3)
         ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED
       ) RETURNING *`,
      [new Date(now), new Date(now + LEASE_MS), [...this.kinds.keys()]],
    );
    return row;
  }
}

function answerOf({ state, outcome }: Pick<Row, 'state' | 'outcome'>): unknown {
  switch (state) {
    case 'done':
      return outcome;
    case 'pending':
      throw idempotencyInProgress();
    case 'abandoned':
      throw unavailable();
    case 'failed': {
      const { code, message } = outcome as { code: ErrorCode; message: string };
      throw new DomainError(code, message);
    }
  }
}
