import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { DomainError, outcomeUnknown, unavailable } from '../errors/domain-error.js';
import { idempotencyKeyReused } from '../idempotency/idempotency-key.js';
import { deleteInBatches } from '../jobs/delete-in-batches.js';
import { PollingLoop } from '../jobs/polling-loop.js';
import { Logger } from '../logging/logger.js';
import { Statements } from '../postgres/statements.js';
import { type Transaction, Writes } from '../postgres/writes.js';
import { ForeignCallAttempts } from './foreign-call-attempts.js';
import { answerOf, ForeignCallEnds } from './foreign-call-ends.js';
import type { ForeignCall, ForeignCallId, ForeignCallKind } from './foreign-call-kind.js';
import { ForeignCallMetrics } from './foreign-call-metrics.js';
import { ForeignCallOperator } from './foreign-call-operator.js';
import type { NewCall, TakenCall } from './foreign-call-row.js';
import { ForeignCallRows } from './foreign-call-rows.js';
import type { AnyKind } from './make-foreign-call.js';
import { nextSentKey, sentKeyOf } from './sent-key.js';

const POLL_MS = 10_000;
/** Calls of each kind that the recovery of one process makes at once: a hung one holds back no other kind. */
const AT_ONCE = 4;
/** Between two looks at a call that another request or process makes. */
const LOOK_MS = 100;
const KEPT_MS = 30 * 24 * 60 * 60_000;

/**
 * Calls to foreign systems that take effect exactly once, also after a crash. A row with the key and the rendered parameters is
 * committed before the call; its end is stored afterwards, in one transaction with what follows from it (`settled`). A call
 * whose end nobody knows is made again with the same key and parameters, and looked for, until it is known.
 */
@Injectable()
export class ForeignCalls implements OnApplicationBootstrap, OnModuleDestroy {
  /** For commands. */
  readonly operator: ForeignCallOperator;
  private readonly kinds = new Map<string, AnyKind>();
  private readonly rows: ForeignCallRows;
  private readonly attempts: ForeignCallAttempts;
  private readonly loop: PollingLoop;
  /** How many calls of each kind the recovery makes just now. */
  private readonly recovering = new Map<string, number>();

  constructor(
    statements: Statements,
    writes: Writes,
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    const rows = new ForeignCallRows(statements);
    const ends = new ForeignCallEnds(rows, writes, logger);
    const metrics = new ForeignCallMetrics(registry, rows, (kind) => this.kinds.has(kind));
    const againIn = (ms: number) => this.loop.within(ms);
    const attempts = new ForeignCallAttempts({ rows, ends, metrics, logger, againIn });
    const kindOf = (name: string) => this.kinds.get(name);
    this.operator = new ForeignCallOperator({ rows, ends, attempts, kindOf });
    this.rows = rows;
    this.attempts = attempts;
    this.loop = new PollingLoop({
      name: 'recovery of foreign calls',
      everyMs: POLL_MS,
      work: async () => void (await this.beginDue()),
      logger,
      ref: false,
      registry,
    });
  }

  /** Registers a kind. Call it in a provider's constructor: recovery makes only calls of kinds that are registered at boot. */
  kind<Request, Rendered, Outcome>(
    kind: ForeignCallKind<Request, Rendered, Outcome>,
  ): ForeignCall<Request, Outcome> {
    if (this.kinds.has(kind.name)) throw new Error(`There are two kinds of foreign calls named ${kind.name}`);
    const any = kind as unknown as AnyKind;
    this.kinds.set(kind.name, any);
    return {
      enqueue: (transaction, id, request) => this.enqueue(any, transaction, id, request),
      run: (id, request) => this.run(any, id, request) as Promise<Outcome>,
    };
  }

  /** The names of the kinds of a caller's pending calls, as the transaction sees them. */
  pendingOf(transaction: Transaction, caller: string): Promise<string[]> {
    return this.rows.pendingOf(transaction, caller);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.loop.nudge();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.loop.stop(), this.attempts.close()]);
  }

  /** Makes all calls that are due, and resolves when this process has none under way. The running service does so by itself. */
  async recover(): Promise<void> {
    for (let begun = 1; begun > 0;) {
      begun = await this.beginDue();
      await this.attempts.idle();
    }
  }

  /** Removes calls that ended long ago. Those that an operator has settled stay, as the record of it. */
  async purge(stopping: AbortSignal): Promise<void> {
    const old = {
      table: 'foreign_calls',
      where: "ended_at <= now() - $1::float8 * interval '1 millisecond' AND settled_by IS NULL",
      oldestBy: 'ended_at',
      parameters: [KEPT_MS],
    };
    await deleteInBatches(this.dataSource, old, stopping);
  }

  private async enqueue(kind: AnyKind, transaction: Transaction, id: ForeignCallId, request: unknown) {
    const call = newCall(kind, id, request);
    const known = await this.rows.enqueue(transaction, call);
    if (known.state === 'not-executed')
      await this.rows.enqueueAnew(transaction, { ...call, sentKey: nextSentKey(known.sentKey) });
    else if (!known.same) throw idempotencyKeyReused();
    transaction.afterCommit.push(() => this.loop.nudge());
  }

  private async run(kind: AnyKind, id: ForeignCallId, request: unknown): Promise<unknown> {
    if (this.attempts.stopped) throw unavailable();
    const call = newCall(kind, id, request);
    try {
      const taken = await this.take(kind, call);
      if (taken) await this.attempts.make(kind, taken);
      return answerOf((await this.rows.find(call)) ?? { state: 'pending', ending: null });
    } catch (error) {
      if (error instanceof DomainError) throw error;
      // The database has failed. Where the row was stored before, the call has been made or will be.
      this.logger.error(
        { err: error, kind: kind.name, ...id },
        'the outcome of a foreign call cannot be read',
      );
      throw outcomeUnknown();
    }
  }

  /** Takes a call for its caller. Undefined where it has ended, or where nothing is to be done but to make it again later. */
  private async take(kind: AnyKind, call: NewCall): Promise<TakenCall | undefined> {
    const lease = leaseOf(kind);
    const begun = await this.rows.begin(call, lease);
    if (begun) return begun;
    const startedAt = performance.now();
    for (let looks = 0; ; looks += 1) {
      const known = await this.rows.find(call, call.request);
      if (!known) {
        const again = await this.rows.begin(call, lease);
        if (again) return again;
      } else if (known.state === 'not-executed') {
        // One that this caller has waited for answers this caller, too.
        if (looks > 0) return undefined;
        const sentKey = nextSentKey(known.sentKey);
        const anew = await this.rows.beginAnew({ ...call, sentKey }, lease, known.attempts);
        if (anew) return anew;
      } else if (!known.same) {
        throw idempotencyKeyReused();
      } else if (known.state !== 'pending' || !(known.isDue || known.running)) {
        return undefined;
      } else if (known.isDue) {
        const taken = await this.rows.takeOne(kind.name, lease, call);
        if (taken) return taken;
      }
      // Another request or process makes it.
      if (this.attempts.stopped || performance.now() - startedAt > kind.limitMs) return undefined;
      await delay(LOOK_MS);
    }
  }

  /** Begins the calls that are due and have a place, and returns how many. */
  private async beginDue(): Promise<number> {
    const kinds = [...this.kinds.values()].flatMap((kind) => {
      const places = AT_ONCE - (this.recovering.get(kind.name) ?? 0);
      return places > 0 ? [{ name: kind.name, ...leaseOf(kind), places }] : [];
    });
    if (kinds.length === 0 || this.attempts.stopped) return 0;
    const calls = await this.rows.takeDue(kinds);
    for (const call of calls) void this.recoverOne(this.kinds.get(call.kind)!, call);
    return calls.length;
  }

  private async recoverOne(kind: AnyKind, call: TakenCall): Promise<void> {
    const underWay = () => this.recovering.get(kind.name) ?? 0;
    this.recovering.set(kind.name, underWay() + 1);
    await this.attempts.make(kind, call);
    const wasFull = underWay() >= AT_ONCE;
    this.recovering.set(kind.name, underWay() - 1);
    // There may be more than there were places for.
    if (wasFull) this.loop.nudge();
  }
}

/** An attempt asks the foreign system three times at most, each time within the limit; the rest is for the database. */
const leaseOf = ({ limitMs, giveUpAfterMs }: AnyKind) => ({ leaseMs: 3 * limitMs + 15_000, giveUpAfterMs });

function newCall(kind: AnyKind, id: ForeignCallId, request: unknown): NewCall {
  return {
    kind: kind.name,
    caller: id.caller,
    key: id.key,
    sentKey: sentKeyOf(kind.name, id),
    request: JSON.stringify(request ?? null),
    rendered: JSON.stringify(kind.render(request) ?? null),
    apiVersion: kind.apiVersion,
  };
}
