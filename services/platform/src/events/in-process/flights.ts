import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { orAfter } from '../../time/or-after.js';
import type { EventRecord } from '../event-bus.js';
import { BackgroundWriter } from './background-writer.js';
import type { DeliveryStore, NumberedEvent } from './delivery-store.js';
import { Flight } from './flight.js';
import type { DeliveryRef, StoredDelivery } from './stored-delivery.js';

/** A repetition of so many last events is known without the store. */
const KNOWN_EVENTS = 10_000;
/** How long the row of a handled event may wait for others that are written with it. */
const COLLECT_MS = 500;
/** So many rows wait only when the store has not taken them for a while. */
const FULL = 1_000;
/** Most handlers take some milliseconds. */
export const PATIENCE_MS = 200;

export interface FlightsOptions {
  store: DeliveryStore;
  logger: Logger;
  /** Milliseconds for all handlers of a publication; what they have not handled then gets rows. */
  patienceMs: number;
  /** The groups of this process. */
  groups(): readonly string[];
  /** Those of them that get the event. */
  groupsOf(event: EventRecord): readonly string[];
  /** Passes a delivery to its group's queue; returns false if there is no room. */
  pass(delivery: StoredDelivery): boolean;
  /** Called with deliveries that have rows now. */
  late(deliveries: readonly StoredDelivery[]): void;
  /** Called with the deliveries that an insert has stored for groups of other processes. */
  elsewhere(event: EventRecord): void;
}

/**
 * Publishes events by handing them to all groups of this process first: an event that they handle at once needs no delivery
 * rows. Until then its state stays in the outbox, because the publication has not ended: after a crash it is published again.
 * Only what fails, or takes longer than `patienceMs`, gets rows, and the publication ends when these are durable.
 */
export class Flights {
  private readonly known = new LRUCache<string, true>({ max: KNOWN_EVENTS });
  private readonly current = new Map<string, Promise<void>>();
  private readonly flying = new Set<Flight>();
  /**
   * Writes the rows of events that all groups have handled. Nothing waits for them: new projections start from them, and the
   * commands of other processes see by them what has been handled. After a crash the last ones may be missing; a new
   * projection gets their states by the republication that fills it.
   */
  private readonly history: BackgroundWriter<NumberedEvent>;

  constructor(private readonly options: FlightsOptions) {
    this.history = new BackgroundWriter({
      logger: options.logger,
      write: async (events) => this.noteElsewhere(events, await this.insert(events, [], true)),
      collectMs: COLLECT_MS,
      failure: 'storing handled events failed, will be retried',
    });
  }

  /** Whether the store keeps up with the events that have been handled. */
  get isOpen(): boolean {
    return this.history.size < FULL;
  }

  /** Unhandled deliveries without rows, by group. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const flight of this.flying) flight.countInto(counts);
    return counts;
  }

  async publish(events: readonly EventRecord[]): Promise<void> {
    const fresh = new Map<string, EventRecord>();
    const earlier: Promise<void>[] = [];
    for (const event of events) {
      const current = this.current.get(event.id);
      if (current) earlier.push(current);
      else if (!this.known.has(event.id)) fresh.set(event.id, event);
    }
    const ids = [...fresh.keys()];
    const flight = this.fly([...fresh.values()]).finally(() => ids.forEach((id) => this.current.delete(id)));
    for (const id of ids) this.current.set(id, flight);
    await Promise.all([flight, ...earlier]);
  }

  /** These events have their rows. */
  knows(events: readonly EventRecord[]): void {
    for (const { id } of events) this.known.set(id, true);
  }

  /** Resolves when the events that have been handled have their rows. */
  written(): Promise<void> {
    return this.history.written();
  }

  /** Waits for the publications that have begun, and writes the rows of what they have delivered. */
  async close(): Promise<void> {
    await Promise.allSettled(this.current.values());
    await this.history.close();
  }

  private async fly(events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0) return;
    const { store, patienceMs } = this.options;
    const numbered = await store.numbered(events);
    const flight = new Flight();
    this.flying.add(flight);
    try {
      this.passAll(numbered, flight);
      await orAfter(patienceMs, flight.landed);
      const left = flight.close();
      const late = new Set(left.map(({ seq }) => seq));
      if (left.length > 0) await this.store(numbered, left, flight);
      this.knows(events);
      this.history.add(...numbered.filter(({ seq }) => !late.has(seq)));
    } finally {
      this.flying.delete(flight);
    }
  }

  private passAll(numbered: readonly NumberedEvent[], flight: Flight): void {
    const deliveries = numbered.flatMap(({ seq, event }) =>
      this.options
        .groupsOf(event)
        .map((group): StoredDelivery => ({ seq, group, attempts: 0, event, flight })),
    );
    for (const delivery of deliveries) flight.add(delivery);
    for (const delivery of deliveries) if (!this.options.pass(delivery)) void flight.needsRow();
  }

  /** Gives rows to the deliveries that are left. */
  private async store(
    numbered: readonly NumberedEvent[],
    left: readonly StoredDelivery[],
    flight: Flight,
  ): Promise<void> {
    const late = new Set(left.map(({ seq }) => seq));
    const events = numbered.filter(({ seq }) => late.has(seq));
    try {
      this.noteElsewhere(events, await this.insert(events, left, false));
    } catch (error) {
      flight.stored(false);
      throw error;
    }
    this.options.late(left);
    flight.stored(true);
  }

  /** Inserts the events, with deliveries of `left` alone among those of this process. */
  private insert(events: readonly NumberedEvent[], left: readonly DeliveryRef[], relaxed: boolean) {
    const { store, groups, groupsOf } = this.options;
    const open = new Set(left.map(nameOf));
    const handled = events
      .flatMap(({ seq, event }) => groupsOf(event).map((group) => ({ seq, group })))
      .filter((delivery) => !open.has(nameOf(delivery)));
    return store.insert(events, { mine: groups(), handled, relaxed });
  }

  private noteElsewhere(events: readonly NumberedEvent[], inserted: readonly DeliveryRef[]): void {
    const mine = new Set(this.options.groups());
    const bySeq = new Map(events.map(({ seq, event }) => [seq, event]));
    for (const { seq, group } of inserted) if (!mine.has(group)) this.options.elsewhere(bySeq.get(seq)!);
  }
}

const nameOf = ({ seq, group }: DeliveryRef) => `${seq}\n${group}`;
