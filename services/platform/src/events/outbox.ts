import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Counter, Registry } from 'prom-client';
import { PollingLoop } from '../jobs/polling-loop.js';
import { counter } from '../telemetry/metrics.js';
import { beginSpan } from '../telemetry/tracing.js';
import type { EventBus, EventRecord } from './event-bus.js';
import type { OutboxSource } from './outbox-source.js';

export interface OutboxRelayOptions {
  sources: readonly OutboxSource[];
  bus: Pick<EventBus, 'publish'>;
  logger: Logger;
  /** Milliseconds between polls of the sources without a nudge. */
  pollMs?: number;
  registry?: Registry;
}

const BATCH = 200;
const BACKOFF = { firstMs: 50, longestMs: 10_000 };
const POLL_MS = 200;
const SWEEP_MS = 10 * 60_000;
const FINISH_MS = 5_000;

/**
 * Publishes the states in outboxes: at once when nudged, by polling otherwise. A state may be published twice, after a
 * crash or by several relays that share a source. Each source has its own loop: a failing source is retried for ever with
 * backoff and does not delay the others.
 */
export class OutboxRelay {
  private readonly relays: SourceRelay[];

  constructor(private readonly options: OutboxRelayOptions) {
    this.relays = options.sources.map((source) => new SourceRelay(source, options));
  }

  start(): void {
    for (const relay of this.relays) relay.start();
  }

  /** Call it after a commit. Cheap; does nothing while the relay is stopped. */
  nudge(): void {
    for (const relay of this.relays) relay.nudge();
  }

  /** Publishes until the sources are empty. Tries all sources, then rejects if one of them or the bus failed. */
  async drain(): Promise<void> {
    const drained = await Promise.allSettled(this.relays.map((relay) => relay.drain()));
    for (const result of drained) if (result.status === 'rejected') throw result.reason;
  }

  /** The number of unpublished states. */
  async depth(): Promise<number> {
    const depths = await Promise.all(this.options.sources.map((source) => source.depth()));
    return depths.reduce((sum, depth) => sum + depth, 0);
  }

  /** Ends polling and waits for the current pass; unpublished states stay in their sources. */
  async stop(): Promise<void> {
    await Promise.all(this.relays.map((relay) => relay.stop()));
  }

  /** Publishes the remaining states and stops, after `timeoutMs` at the latest, even if the bus does not answer. */
  async finish(timeoutMs = FINISH_MS): Promise<void> {
    const stopped = this.stop();
    const finished = this.drain()
      .catch((error: unknown) =>
        this.options.logger.warn(
          { err: error },
          'the outbox could not be emptied, remaining states are published at the next start',
        ),
      )
      .then(() => stopped);
    const given = new AbortController();
    await Promise.race([finished, delay(timeoutMs, undefined, { signal: given.signal })]);
    given.abort();
  }
}

/** Publishes the states of one source, one batch per pass. */
class SourceRelay {
  private readonly publishing: PollingLoop;
  private readonly sweeping: PollingLoop | undefined;
  private readonly failed: Counter;
  private lastCount = 0;

  constructor(
    private readonly source: OutboxSource,
    private readonly options: OutboxRelayOptions,
  ) {
    const { logger, pollMs = POLL_MS, registry = new Registry() } = options;
    this.failed = counter(registry, {
      name: 'pulso_outbox_relay_failures_total',
      help: 'Passes of the outbox relay that failed',
    });
    this.publishing = new PollingLoop({
      name: 'outbox relay',
      everyMs: pollMs,
      work: () => this.publishBatch(),
      backoff: BACKOFF,
      logger,
      level: 'error',
    });
    if (!source.removeExpired) return;
    this.sweeping = new PollingLoop({
      name: 'outbox sweep',
      everyMs: SWEEP_MS,
      work: (stopping) => source.removeExpired!(stopping),
      logger,
      level: 'error',
    });
  }

  start(): void {
    for (const loop of [this.publishing, this.sweeping]) {
      loop?.start();
      loop?.nudge();
    }
  }

  nudge(): void {
    this.publishing.nudge();
  }

  async drain(): Promise<void> {
    do await this.publishing.pass();
    while (this.lastCount > 0);
  }

  async stop(): Promise<void> {
    await Promise.all([this.publishing.stop(), this.sweeping?.stop()]);
  }

  private async publishBatch(): Promise<void> {
    try {
      const { events } = await this.source.pending(BATCH);
      this.lastCount = events.length;
      if (events.length === 0) return;
      await this.publish(events);
      await this.source.published(events);
      if (events.length === BATCH) this.nudge();
    } catch (error) {
      this.failed.inc();
      throw error;
    }
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
