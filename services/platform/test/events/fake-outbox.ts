import type { EventRecord } from '../../src/events/event-bus.js';
import { eventRecord } from '../../src/events/event-record.js';
import { EventsFailed } from '../../src/events/events-failed.js';
import {
  CLAIM_MS,
  type OutboxExcept,
  type OutboxSource,
  type Pending,
} from '../../src/events/outbox/outbox-source.js';

const nameOf = ({ topic, key }: { topic: string; key: string }) => `${topic}/${key}`;

/** `topic/key@version`. */
export const stateName = (event: EventRecord) => `${nameOf(event)}@${event.version}`;

/** A store in memory with an outbox. Its time stands still until a test moves it. Entities are named `topic/key`. */
export class FakeStore {
  /** Oldest first. */
  readonly rows = new Map<string, EventRecord>();
  /** Entities whose state cannot be made. */
  readonly unreadable = new Set<string>();
  /** Entities that cannot be removed from the outbox. */
  readonly irremovable = new Set<string>();
  readonly readings: OutboxExcept[] = [];
  away = false;
  time = 0;
  holder: string | undefined;
  claimedUntil = 0;
  /** Runs before a claim is decided. */
  beforeClaim: () => void = () => undefined;

  readonly now = () => this.time;

  /** A newer state keeps the place of the older one. */
  write(topic: string, key: string, version = 1): void {
    const event = eventRecord({ topic, key, version, payload: new Uint8Array() });
    this.rows.set(nameOf(event), event);
  }

  writeMany(topic: string, count: number): void {
    for (let index = 0; index < count; index += 1) this.write(topic, `k${index}`);
  }

  has(topic: string, key: string): boolean {
    return this.rows.has(nameOf({ topic, key }));
  }

  claim(replica: string): boolean {
    this.beforeClaim();
    if (this.holder !== undefined && this.holder !== replica && this.claimedUntil > this.time) return false;
    this.holder = replica;
    this.claimedUntil = this.time + CLAIM_MS;
    return true;
  }

  /** The store as one replica's outbox. */
  replica(name = 'replica'): OutboxSource {
    return {
      pending: async (limit, except) => this.pending(limit, except),
      published: async (events) => this.published(events),
      depth: async () => this.rows.size,
      claim: async () => this.claim(name),
      unclaim: async () => {
        if (this.holder === name) this.holder = undefined;
      },
    };
  }

  private pending(limit: number, except: OutboxExcept = { topics: [], entities: [] }): Pending {
    this.assertThere();
    this.readings.push(except);
    const entities = new Set(except.entities.map(nameOf));
    const read = [...this.rows.values()]
      .filter((row) => !except.topics.includes(row.topic) && !entities.has(nameOf(row)))
      .slice(0, limit);
    const isReadable = (row: EventRecord) => !this.unreadable.has(nameOf(row));
    const failures = read.filter((row) => !isReadable(row)).map(failureOf('cannot be made'));
    return { events: read.filter(isReadable), failures };
  }

  private published(events: readonly EventRecord[]): void {
    this.assertThere();
    const kept = events.filter((event) => this.irremovable.has(nameOf(event)));
    for (const event of events) {
      const row = this.rows.get(nameOf(event));
      if (!kept.includes(event) && row?.version === event.version) this.rows.delete(nameOf(event));
    }
    if (kept.length > 0) throw new EventsFailed('removing', kept.map(failureOf('cannot be removed')));
  }

  private assertThere(): void {
    if (this.away) throw new Error('the store is away');
  }
}

const failureOf =
  (why: string, error = new Error(why)) =>
  ({ topic, key }: EventRecord) => ({ topic, key, error });

/** A bus that remembers what was published, and refuses or holds what the test says. */
export class FakeBus {
  /** The names of the published states, in order. */
  readonly published: string[] = [];
  /** The names of the refused states, in order. */
  readonly refused: string[] = [];
  away = false;
  refuses: (entity: string, event: EventRecord) => Error | undefined = () => undefined;
  /** What the publication of a topic waits for. */
  readonly held = new Map<string, Promise<unknown>>();
  /** Called with the topics of each publication that begins. */
  begins: (topic: string) => void = () => undefined;

  async publish(events: readonly EventRecord[]): Promise<void> {
    for (const topic of new Set(events.map((event) => event.topic))) {
      this.begins(topic);
      await this.held.get(topic);
    }
    if (this.away) throw new Error('the bus is away');
    const failures = events.flatMap((event) => {
      const error = this.refuses(nameOf(event), event);
      (error ? this.refused : this.published).push(stateName(event));
      return error ? [{ topic: event.topic, key: event.key, error }] : [];
    });
    if (failures.length > 0) throw new EventsFailed('publishing', failures);
  }

  /** How often each state arrived. */
  get counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const name of this.published) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  }
}
