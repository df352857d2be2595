import { setTimeout as delay } from 'node:timers/promises';
import { type Counter, Registry } from 'prom-client';
import { groupBy } from '../../collections/group-by.js';
import { PollingLoop } from '../../jobs/polling-loop.js';
import { counter } from '../../telemetry/metrics.js';
import { beginSpan } from '../../telemetry/tracing.js';
import { orAfter } from '../../time/or-after.js';
import type { EventRecord } from '../event-bus.js';
import { type EventFailure, EventsFailed } from '../events-failed.js';
import type { OutboxRelayOptions } from './outbox.js';
import { CLAIM_MS, type OutboxExcept, type OutboxSource, type Pending } from './outbox-source.js';
import { NudgedTopics } from './nudged-topics.js';
import { entityName, SetAside } from './set-aside.js';

/** The publication of one topic's part of a batch. */
interface Publication {
  topic: string;
  /** Never rejects. */
  outcome: Promise<Outcome>;
}

interface Outcome {
  arrived: EventRecord[];
  failures: readonly EventFailure[];
  /** Why nothing is known about any of them. */
  errors: unknown[];
}

export const BATCH = 200;
const BACKOFF = { firstMs: 50, longestMs: 10_000 };
/** Commits nudge the relay: a poll finds what a replica has left that died, or that could not be nudged. */
const POLL_MS = 5_000;
/** How soon a relay looks again that has left a backlog to another replica. */
const LEFT_MS = 200;
const PATIENCE_MS = 1_000;
/** A stop waits so many times as long as a pass. */
const STOP_PATIENCE = 3;
/** A pass waits for the bus for its patience only: this is for the store. */
const PASS_LIMIT_MS = 30_000;
const SWEEP_MS = 10 * 60_000;
const SWEEP_LIMIT_MS = 5 * 60_000;
/** Long enough to take over from a replica that has died. */
const CLAIM_WAIT_MS = 2 * CLAIM_MS;

/**
 * Publishes the states of one source, one batch per pass: when nudged, when something that was set aside is due, and
 * seldom without a reason. What fails is set aside and tried again later, on its own; a topic
 * whose publication takes long does not keep a pass. So only a store or a bus that is away holds back everything.
 *
 * A topic has one publication at a time, so that no state arrives after a newer one.
 */
export class SourceRelay {
  private readonly publishing: PollingLoop;
  private readonly sweeping: PollingLoop | undefined;
  private readonly failed: Counter;
  private readonly aside: SetAside;
  private readonly now: () => number;
  private readonly leftMs: number;
  private readonly patienceMs: number;
  /** The topics with a publication that has not ended. */
  private readonly busy = new Map<string, Promise<unknown>>();
  private passes = 0;
  private cleared = 0;
  /** When this replica last got the claim. */
  private claimedAt = -Infinity;
  /** The last pass has left a backlog to another replica. */
  private leaves = false;
  /** Until then nudges are ignored, because of that. */
  private leftUntil = -Infinity;
  private readonly nudged: NudgedTopics;

  constructor(
    private readonly source: OutboxSource,
    private readonly options: OutboxRelayOptions,
  ) {
    const { logger, pollMs = POLL_MS, registry, now = () => performance.now() } = options;
    this.now = now;
    this.leftMs = Math.min(pollMs, LEFT_MS);
    this.nudged = new NudgedTopics({ topics: source.topics, allEveryMs: pollMs, now });
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
    const metrics = registry ?? new Registry();
    this.aside = new SetAside({ registry: metrics, logger, now });
    this.failed = counter(metrics, {
      name: 'pulso_outbox_relay_failures_total',
      help: 'Passes of the outbox relay that failed',
    });
    this.publishing = new PollingLoop({
      name: 'outbox relay',
      everyMs: pollMs,
      work: () => this.pass(),
      backoff: BACKOFF,
      logger,
      level: 'error',
      limitMs: PASS_LIMIT_MS,
      registry,
    });
    if (!source.removeExpired) return;
    this.sweeping = new PollingLoop({
      name: 'outbox sweep',
      everyMs: SWEEP_MS,
      work: (stopping) => source.removeExpired!(stopping),
      logger,
      level: 'error',
      limitMs: SWEEP_LIMIT_MS,
      registry,
    });
  }

  start(): void {
    for (const loop of [this.publishing, this.sweeping]) {
      loop?.start();
      loop?.nudge();
    }
  }

  /** A state of `topic`, or of any topic, was committed. */
  nudge(topic?: string): void {
    if (this.now() < this.leftUntil) return;
    this.nudged.add(topic);
    this.publishing.nudge();
  }

  /**
   * Publishes until nothing more moves, also what is set aside. Rejects with the error of a pass that failed, or with
   * `EventsFailed` that names what stays, or if another replica keeps the claim and leaves a backlog.
   */
  async drain(): Promise<void> {
    this.aside.clear();
    this.nudged.add(undefined);
    const deadline = this.now() + CLAIM_WAIT_MS;
    try {
      for (let before = -1; before !== this.moves;) {
        before = this.moves;
        await this.publishing.pass();
        await Promise.all(this.busy.values());
        if (!this.leaves) continue;
        if (this.now() >= deadline) throw new Error('another replica has not drained the outbox');
        before = -1;
        await delay(this.leftMs);
      }
    } finally {
      await this.release();
    }
    const stay = this.aside.all();
    if (stay.length > 0) throw new EventsFailed('publishing what is in the outbox', stay);
  }

  /** Waits a short time for publications that take long; then their events may be published again at the next start. */
  async stop(): Promise<void> {
    await Promise.all([this.publishing.stop(), this.sweeping?.stop()]);
    await orAfter(STOP_PATIENCE * this.patienceMs, Promise.all(this.busy.values()));
    await this.release();
  }

  /** One pass. The loop may give up one that takes too long, and begin another. */
  async pass(): Promise<void> {
    const pass = (this.passes += 1);
    try {
      const unread = this.nudged.unread(this.aside.isEmpty);
      const except = this.aside.except([...this.busy.keys(), ...unread]);
      const batch = await this.read(except);
      // The loop has given up this pass: a later one may have published newer states.
      if (pass !== this.passes) throw new Error('the store has answered too late');
      if (!batch) return;
      const isFull = sizeOf(batch) >= BATCH;
      if (!isFull) this.aside.forgetAbsent(except, batch);
      for (const failure of batch.failures) this.aside.failed(failure, 'state');
      await this.publish(batch.events);
      if (isFull) this.publishing.nudge();
      else await this.release();
    } catch (error) {
      this.failed.inc();
      throw error;
    } finally {
      const { nextInMs } = this.aside;
      // A timer may fire within the millisecond before its time.
      if (nextInMs !== undefined) this.publishing.within(nextInMs + 1);
    }
  }

  /** Changes whenever something left the outbox or got set aside. */
  private get moves(): number {
    return this.cleared + this.aside.additions;
  }

  /** Resolves to undefined if another replica drains the backlog. */
  private async read(except: OutboxExcept): Promise<Pending | undefined> {
    const batch = await this.source.pending(BATCH, except);
    this.leaves = false;
    this.leftUntil = -Infinity;
    if (sizeOf(batch) < BATCH) return batch;
    const asked = this.now();
    if (!(await this.source.claim())) {
      this.claimedAt = -Infinity;
      this.leaves = true;
      this.leftUntil = this.now() + this.leftMs;
      this.publishing.within(this.leftMs);
      return undefined;
    }
    // Half of its time, because a source need not renew it at each call.
    const kept = this.now() - this.claimedAt < CLAIM_MS / 2;
    this.claimedAt = asked;
    // Who had the claim before may have published what was read without it.
    return kept ? batch : this.source.pending(BATCH, except);
  }

  private async publish(events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0) return;
    const publications = [...groupBy(events, (event) => event.topic)].map(([topic, ofTopic]) =>
      this.begin(topic, ofTopic),
    );
    const ended = await this.endedInTime(publications);
    for (const publication of publications) if (!ended.includes(publication)) this.endLater(publication);
    try {
      await this.recordOutcomes(ended);
    } finally {
      for (const { topic } of ended) this.busy.delete(topic);
    }
  }

  private begin(topic: string, events: readonly EventRecord[]): Publication {
    const publication = { topic, outcome: this.outcomeOf(events) };
    this.busy.set(topic, publication.outcome);
    return publication;
  }

  /** Waits for topics that may be expected to answer; resolves to all publications that have ended then. */
  private async endedInTime(publications: readonly Publication[]): Promise<Publication[]> {
    const ended: Publication[] = [];
    const noted = publications.map(async (publication) => {
      await publication.outcome;
      ended.push(publication);
    });
    const awaited = noted.filter((_, index) => !this.aside.doubts(publications[index]!.topic));
    await orAfter(this.patienceMs, Promise.all(awaited));
    return [...ended];
  }

  private endLater(publication: Publication): void {
    const { topic } = publication;
    const ending = this.recordOutcomes([publication])
      .catch((error: unknown) => this.aside.topicFailed(topic, error))
      .finally(() => {
        this.busy.delete(topic);
        this.nudge();
      });
    this.busy.set(topic, ending);
    if (!this.aside.doubts(topic))
      this.options.logger.warn({ topic }, 'a publication takes long, other topics go on meanwhile');
  }

  /** Removes what arrived from the outbox and sets aside what did not. */
  private async recordOutcomes(publications: readonly Publication[]): Promise<void> {
    const outcomes = await Promise.all(publications.map(({ outcome }) => outcome));
    const errors = outcomes.flatMap((outcome) => outcome.errors);
    for (const failure of outcomes.flatMap(({ failures }) => failures)) this.aside.failed(failure, 'publish');
    try {
      await this.clear(outcomes.flatMap(({ arrived }) => arrived));
    } catch (error) {
      errors.push(error);
    }
    if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('; '));
    if (errors.length === 1) throw errors[0];
  }

  private async clear(events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0) return;
    let kept: readonly EventFailure[] = [];
    try {
      await this.source.published(events);
    } catch (error) {
      if (!(error instanceof EventsFailed)) throw error;
      kept = error.failures;
    }
    const gone = without(events, kept);
    this.cleared += gone.length;
    this.aside.succeeded(gone);
    for (const failure of kept) this.aside.failed(failure, 'remove');
  }

  private async outcomeOf(events: readonly EventRecord[]): Promise<Outcome> {
    try {
      await this.publishTraced(events);
      return { arrived: [...events], failures: [], errors: [] };
    } catch (error) {
      if (!(error instanceof EventsFailed) || !names(error, events))
        return { arrived: [], failures: [], errors: [error] };
      return { arrived: without(events, error.failures), failures: error.failures, errors: [] };
    }
  }

  private async publishTraced(events: readonly EventRecord[]): Promise<void> {
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

  private async release(): Promise<void> {
    if (this.claimedAt === -Infinity) return;
    this.claimedAt = -Infinity;
    try {
      await this.source.unclaim();
    } catch (error) {
      const what = 'the claim to drain the outbox could not be given back, it ends by itself';
      this.options.logger.warn({ err: error }, what);
    }
  }
}

const sizeOf = ({ events, failures }: Pending) => events.length + failures.length;

/** The events that did not fail. */
function without(events: readonly EventRecord[], failures: readonly EventFailure[]): EventRecord[] {
  const failed = new Set(failures.map(entityName));
  return events.filter((event) => !failed.has(entityName(event)));
}

/** Whether the error says which of the events failed. Without that none may be removed from the outbox. */
function names({ failures }: EventsFailed, events: readonly EventRecord[]): boolean {
  const known = new Set(events.map(entityName));
  return failures.length > 0 && failures.every((failure) => known.has(entityName(failure)));
}
