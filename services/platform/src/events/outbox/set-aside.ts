import type { Logger } from 'pino';
import type { Counter, Gauge, Registry } from 'prom-client';
import { counter, gauge } from '../../telemetry/metrics.js';
import { type Backoff, backoffMs } from '../../time/backoff.js';
import type { EventRecord } from '../event-bus.js';
import type { EventFailure } from '../events-failed.js';
import type { OutboxExcept, Pending } from './outbox-source.js';
import { EventTooLarge, TopicUnavailable } from '../publish-errors.js';

/** What failed: making the state, publishing it, or removing it from the outbox. */
export type FailedStep = 'state' | 'publish' | 'remove';

interface Aside {
  /** Failures in a row. */
  attempts: number;
  /** When it may be tried again. */
  until: number;
  error: unknown;
}

const ENTITY: Backoff = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** The same event would be refused again: only a newer state can be smaller. */
const TOO_LARGE: Backoff = { firstMs: ENTITY.longestMs, longestMs: ENTITY.longestMs };
/** A broker that restarts is back within seconds. */
const UNAVAILABLE: Backoff = { firstMs: 1_000, longestMs: 10_000 };
const CROWDED: Backoff = { firstMs: 1_000, longestMs: 30_000 };
/** Entities of one topic that are remembered one by one. If more fail, the whole topic waits. */
export const MOST_ENTITIES = 200;

/**
 * The entities and topics of an outbox that failed, each with a retry time of its own. The relay leaves them out of its
 * readings until then, so that they hold back nothing else. Kept in memory: another process or a new one tries them at once.
 */
export class SetAside {
  private readonly topics = new Map<string, Aside>();
  private readonly entities = new Map<string, Map<string, Aside>>();
  private readonly waiting: Gauge<'topic' | 'what'>;
  private readonly failures: Counter<'topic' | 'reason'>;
  /** How often something got set aside that was not set aside before. */
  additions = 0;

  constructor(private readonly options: { registry: Registry; logger: Logger; now: () => number }) {
    this.waiting = gauge(options.registry, {
      name: 'pulso_outbox_set_aside',
      help: 'Entities, and whole topics, that this process publishes later because they failed',
      labelNames: ['topic', 'what'],
    });
    this.failures = counter(options.registry, {
      name: 'pulso_outbox_events_failed_total',
      help: 'Events that could not be made, published or removed from the outbox, or were too large',
      labelNames: ['topic', 'reason'],
    });
  }

  /** Sets the entity aside, or its whole topic if that is why it failed. */
  failed({ topic, key, error }: EventFailure, step: FailedStep): void {
    const tooLarge = error instanceof EventTooLarge;
    this.failures.inc({ topic, reason: tooLarge ? 'too large' : step });
    if (error instanceof TopicUnavailable) return this.topicFailed(topic, error);
    const ofTopic = this.entities.get(topic) ?? new Map<string, Aside>();
    const before = ofTopic.get(key);
    if (!before && ofTopic.size >= MOST_ENTITIES) {
      const crowded = new Error(`more than ${MOST_ENTITIES} of its entities failed`, { cause: error });
      return this.topicFailed(topic, crowded, CROWDED);
    }
    const aside = this.next(before, error, tooLarge ? TOO_LARGE : ENTITY);
    this.entities.set(topic, ofTopic.set(key, aside));
    this.show(topic);
    this.log({ topic, key, step }, aside, 'an event was set aside');
  }

  /** Once for all failures of a topic that belong together. */
  topicFailed(topic: string, error: unknown, backoff = UNAVAILABLE): void {
    const before = this.topics.get(topic);
    if (before && !this.isDue(before)) return;
    const aside = this.next(before, error, backoff);
    this.topics.set(topic, aside);
    this.show(topic);
    this.log({ topic }, aside, 'a topic was set aside');
  }

  /** These events have left the outbox. */
  succeeded(events: readonly EventRecord[]): void {
    for (const { topic, key } of events) {
      const before = this.entities.get(topic)?.get(key);
      if (before) {
        this.options.logger.info(
          { topic, key, attempts: before.attempts },
          'an event is no longer set aside',
        );
        this.forgetEntity(topic, key);
      }
      if (this.isDue(this.topics.get(topic))) this.forgetTopic(topic);
    }
  }

  /** Whether the topic as a whole has failed and nothing of it has succeeded since. */
  doubts(topic: string): boolean {
    return this.topics.has(topic);
  }

  /** What the next reading leaves out: what waits for its time, and the `busy` topics. */
  except(busy: Iterable<string>): OutboxExcept {
    const paused = [...this.topics].filter(([, aside]) => !this.isDue(aside)).map(([topic]) => topic);
    const topics = new Set([...busy, ...paused]);
    const entities = [...this.entities]
      .filter(([topic]) => !topics.has(topic))
      .flatMap(([topic, ofTopic]) =>
        [...ofTopic].filter(([, aside]) => !this.isDue(aside)).map(([key]) => ({ topic, key })),
      );
    return { topics: [...topics], entities };
  }

  get isEmpty(): boolean {
    return this.topics.size === 0 && this.entities.size === 0;
  }

  /** Milliseconds until the first of what waits for its time may be tried again; undefined if nothing waits. */
  get nextInMs(): number | undefined {
    const now = this.options.now();
    let first = Infinity;
    for (const asides of [this.topics, ...this.entities.values()])
      for (const { until } of asides.values()) if (until > now) first = Math.min(first, until);
    return first === Infinity ? undefined : first - now;
  }

  /** Forgets what a complete reading with `except` did not find: other relays or operators removed it from the outbox. */
  forgetAbsent(except: OutboxExcept, { events, failures }: Pending): void {
    const there = new Set([...events, ...failures, ...except.entities].map(entityName));
    const topics = new Set([...events, ...failures, ...except.entities].map(({ topic }) => topic));
    for (const topic of new Set([...this.topics.keys(), ...this.entities.keys()])) {
      if (except.topics.includes(topic)) continue;
      if (!topics.has(topic)) this.forgetTopic(topic);
      for (const key of this.entities.get(topic)?.keys() ?? [])
        if (!there.has(entityName({ topic, key }))) this.forgetEntity(topic, key);
    }
  }

  /** Everything may be tried at once, as if it had never failed. */
  clear(): void {
    const topics = [...this.topics.keys(), ...this.entities.keys()];
    this.topics.clear();
    this.entities.clear();
    topics.forEach((topic) => this.show(topic));
  }

  /** Everything that is set aside, whole topics as one entry. */
  all(): EventFailure[] {
    const entities = [...this.entities].flatMap(([topic, ofTopic]) =>
      [...ofTopic].map(([key, { error }]) => ({ topic, key, error })),
    );
    const topics = [...this.topics].map(([topic, { error }]) => ({ topic, key: '(all)', error }));
    return [...entities, ...topics];
  }

  private next(before: Aside | undefined, error: unknown, backoff: Backoff): Aside {
    if (!before) this.additions += 1;
    const attempts = (before?.attempts ?? 0) + 1;
    return { attempts, until: this.options.now() + backoffMs(attempts, backoff), error };
  }

  private isDue(aside: Aside | undefined): boolean {
    return aside === undefined || aside.until <= this.options.now();
  }

  private forgetTopic(topic: string): void {
    if (this.topics.delete(topic)) this.show(topic);
  }

  private forgetEntity(topic: string, key: string): void {
    const ofTopic = this.entities.get(topic);
    if (!ofTopic?.delete(key)) return;
    if (ofTopic.size === 0) this.entities.delete(topic);
    this.show(topic);
  }

  private show(topic: string): void {
    this.waiting.set({ topic, what: 'entity' }, this.entities.get(topic)?.size ?? 0);
    this.waiting.set({ topic, what: 'topic' }, this.topics.has(topic) ? 1 : 0);
  }

  /** After 1, 2, 4, 8, … failures in a row. */
  private log(about: object, { attempts, error, until }: Aside, what: string): void {
    if (!Number.isInteger(Math.log2(attempts))) return;
    const retryMs = until - this.options.now();
    this.options.logger.error({ ...about, err: error, attempts, retryMs }, `${what}, will be retried`);
  }
}

/** Unique, because topics' names contain no line break. */
export const entityName = ({ topic, key }: { topic: string; key: string }) => `${topic}\n${key}`;
