import { AsyncResource } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Counter, Registry } from 'prom-client';
import type { EventBus, EventRecord } from './event-bus.js';
import { backoffMs } from './retry-policy.js';
import { counter } from '../telemetry/metrics.js';
import { beginSpan } from '../telemetry/tracing.js';

/** States that a store has committed and that may not have been published yet. */
export interface OutboxSource {
  /** Oldest first, at most `limit`. */
  pending(limit: number): Promise<EventRecord[]>;
  /** Forgets what `pending` gave, except where a newer state has taken its place. */
  published(events: readonly EventRecord[]): Promise<void>;
  depth(): Promise<number>;
  /** Removes what publication has made removable; called from time to time. */
  removeExpired?(): Promise<void>;
}

export interface OutboxRelayOptions {
  sources: readonly OutboxSource[];
  bus: Pick<EventBus, 'publish'>;
  logger: Logger;
  /** Milliseconds between looks at the sources when nobody nudges. */
  pollMs?: number;
  registry?: Registry;
}

const BATCH = 200;
const LONGEST_BACKOFF_MS = 10_000;
const SWEEP_MS = 10 * 60_000;
const FINISH_MS = 5_000;

/**
 * Publishes what outboxes hold: at once when nudged, by polling otherwise. Publishes again after a crash between
 * publishing and forgetting, so any number of relays may share a source. Each source is served on its own: one
 * that fails is retried for ever with backoff and holds up no other.
 */
export class OutboxRelay {
  private readonly lanes: SourceLane[];
  private timers: NodeJS.Timeout[] = [];
  // Nudges come from inside requests; what they set off must not inherit the request's context.
  private readonly outside = new AsyncResource('OutboxRelay');

  constructor(private readonly options: OutboxRelayOptions) {
    this.lanes = options.sources.map((source) => new SourceLane(source, options));
  }

  start(): void {
    if (this.timers.length > 0) return;
    this.timers = [
      setInterval(() => this.wake(), this.options.pollMs ?? 200),
      setInterval(() => this.sweep(), SWEEP_MS),
    ];
    this.nudge();
    this.sweep();
  }

  /** Says that something was committed. Cheap; does nothing while the relay is stopped. */
  nudge(): void {
    if (this.timers.length > 0) this.outside.runInAsyncScope(() => this.wake());
  }

  /** Publishes until the sources are empty. Rejects, after having tried all, when a source or the bus fails. */
  async drain(): Promise<void> {
    const drained = await Promise.allSettled(
      this.lanes.map((lane) => this.outside.runInAsyncScope(() => lane.drain())),
    );
    for (const result of drained) if (result.status === 'rejected') throw result.reason;
  }

  /** How many states are unpublished. */
  async depth(): Promise<number> {
    const depths = await Promise.all(this.options.sources.map((source) => source.depth()));
    return depths.reduce((sum, depth) => sum + depth, 0);
  }

  /** Ends polling and waits for what is under way; unpublished states stay in their sources. */
  async stop(): Promise<void> {
    this.endPolling();
    await Promise.all(this.lanes.map((lane) => lane.end()));
  }

  /** Publishes what is left and stops, after `timeoutMs` at the latest: a bus that is away must not hold up a stop. */
  async finish(timeoutMs = FINISH_MS): Promise<void> {
    this.endPolling();
    const finished = this.drain()
      .catch((error: unknown) =>
        this.options.logger.warn({ err: error }, 'what is left in the outbox is published at the next start'),
      )
      .then(() => this.stop());
    const given = new AbortController();
    await Promise.race([finished, delay(timeoutMs, undefined, { signal: given.signal })]);
    given.abort();
  }

  private endPolling(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
  }

  private wake(): void {
    for (const lane of this.lanes) lane.wake();
  }

  private sweep(): void {
    for (const lane of this.lanes) lane.sweep();
  }
}

/** One source's turn-taking: at most one pass runs, and a wake-up during a pass causes another look. */
class SourceLane {
  private running: Promise<void> | undefined;
  private sweeping: Promise<void> | undefined;
  private again = false;
  private ending = false;
  private failures = 0;
  private resumeAt = 0;
  private readonly failed: Counter;

  constructor(
    private readonly source: OutboxSource,
    private readonly options: OutboxRelayOptions,
  ) {
    this.failed = counter(options.registry ?? new Registry(), {
      name: 'pulso_outbox_relay_failures_total',
      help: 'Passes of the outbox relay that failed',
    });
  }

  wake(): void {
    this.again = true;
    if (this.running || performance.now() < this.resumeAt) return;
    this.running = this.run().finally(() => (this.running = undefined));
  }

  async drain(): Promise<void> {
    while (this.running) await this.running;
    while ((await this.publishBatch()) > 0);
  }

  async end(): Promise<void> {
    this.ending = true;
    await Promise.all([this.running, this.sweeping]);
    this.ending = false;
  }

  sweep(): void {
    if (!this.source.removeExpired || this.sweeping) return;
    this.sweeping = this.source
      .removeExpired()
      .catch((error: unknown) =>
        this.options.logger.error({ err: error }, 'outbox sweep failed, will be retried'),
      )
      .finally(() => (this.sweeping = undefined));
  }

  private async run(): Promise<void> {
    try {
      while (this.again && !this.ending) {
        this.again = false;
        if ((await this.publishBatch()) === BATCH) this.again = true;
      }
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      const pause = backoffMs(this.failures, { firstMs: 50, longestMs: LONGEST_BACKOFF_MS });
      this.resumeAt = performance.now() + pause;
      this.failed.inc();
      this.options.logger.error(
        { err: error, failures: this.failures, pause },
        'outbox relay failed, will be retried',
      );
    }
  }

  private async publishBatch(): Promise<number> {
    const events = await this.source.pending(BATCH);
    if (events.length === 0) return 0;
    await this.publish(events);
    await this.source.published(events);
    return events.length;
  }

  private async publish(events: readonly EventRecord[]): Promise<void> {
    const spans = events.map(({ topic, headers }) => {
      const parent = headers['traceparent'];
      return parent && beginSpan({ name: `${topic} publish`, kind: 'producer', parent });
    });
    const traced = events.map((event, index) => {
      const span = spans[index];
      return span ? { ...event, headers: { ...event.headers, traceparent: span.traceparent } } : event;
    });
    try {
      await this.options.bus.publish(traced);
      for (const span of spans) if (span) span.end();
    } catch (error) {
      for (const span of spans) if (span) span.end({ error });
      throw error;
    }
  }
}
