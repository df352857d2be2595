import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { orAfter } from '../../time/or-after.js';
import type { EventBus } from '../event-bus.js';
import type { OutboxSource } from './outbox-source.js';
import { SourceRelay } from './source-relay.js';

export interface OutboxRelayOptions {
  sources: readonly OutboxSource[];
  bus: Pick<EventBus, 'publish'>;
  logger: Logger;
  /** Milliseconds between polls of the sources without a nudge: 5 s unless given. */
  pollMs?: number;
  registry?: Registry;
  /** Milliseconds for which a pass waits for the bus; a topic that takes longer goes on without it. */
  patienceMs?: number;
  /** Milliseconds that only grow: when to try again what failed. */
  now?: () => number;
}

const FINISH_MS = 5_000;

/**
 * Publishes the states in outboxes: at once when nudged, by slow polling where nobody nudges. A state may be published twice, after a
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

  /** Call it after a commit of states of `topic`. Cheap; does nothing while the relay is stopped. */
  nudge(topic?: string): void {
    for (const relay of this.relays) relay.nudge(topic);
  }

  /**
   * Publishes until the sources are empty. Tries all sources, and also what failed before and waits for its time; then rejects
   * if one of them or the bus failed, or with `EventsFailed` if single states stay.
   */
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
    await orAfter(timeoutMs, finished);
  }
}
