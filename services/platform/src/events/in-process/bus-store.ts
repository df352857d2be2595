import type { Pool, QueryResultRow } from 'pg';
import type { ConsistencyToken } from '../../context/request-context.js';
import { untilLessThan } from '../../jobs/delete-in-batches.js';
import type { Clock } from '../../time/clock.js';
import {
  DEAD_LETTERS_KEPT_MS,
  DEAD_LETTERS_LISTED,
  type DeadLetter,
  type EventRecord,
  EVENTS_KEPT_MS,
} from '../event-bus.js';
import { REPUBLICATION_HEADER } from '../event-record.js';
import type { Flight } from './flight.js';
import { inTransaction } from './in-transaction.js';
import { registerSubscriptions, type Subscription } from './register-subscriptions.js';
import type { SkippedHistory } from '../skipped-history.js';

/** Identifies a delivery in the store. */
export interface DeliveryRef {
  seq: string;
  group: string;
}

export interface StoredDelivery extends DeliveryRef {
  /** Failures that count towards becoming a dead letter. */
  attempts: number;
  /** All failures since this process claimed the delivery. */
  failures?: number;
  event: EventRecord;
  /** The publication that it belongs to while it has no row. */
  flight?: Flight | undefined;
}

/** An event with the number that its row has or will have. */
export interface NumberedEvent {
  seq: string;
  publishedAt: Date;
  event: EventRecord;
}

/** A dead letter with its event. */
export interface StoredDeadLetter extends StoredDelivery {
  /** When it became a dead letter. */
  failedAt: Date;
}

/** How long a delivery belongs to the process that claimed it; afterwards another process may claim it. */
const LEASE = `interval '30 seconds'`;
/** More than any handler has, also for the marker of a republication, which reads whole tables. */
const REDELIVERY = '1h';
const SWEEP_BATCH = 5_000;
/** How many numbers of events are taken at once. */
const NUMBERS = 500;
const DEAD_LETTERS_PAGE = 500;

/** The statements of the in-process bus. Leases use the database's clock, retention uses the injected clock. */
export class BusStore {
  private readonly numbers: string[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** See `registerSubscriptions`. */
  register(subscriptions: readonly Subscription[]): Promise<SkippedHistory[]> {
    return registerSubscriptions(this.pool, subscriptions, this.now());
  }

  /** Takes numbers for new events, in their order; most calls need no statement. */
  async numbered(events: readonly EventRecord[]): Promise<NumberedEvent[]> {
    while (this.numbers.length < events.length) {
      const taken = await this.rows<{ seq: string }>(
        'bus-numbers',
        `SELECT nextval(pg_get_serial_sequence('bus_events', 'seq')) AS seq FROM generate_series(1, $1::int)`,
        [Math.max(NUMBERS, events.length)],
      );
      this.numbers.push(...taken.map(({ seq }) => seq));
    }
    const numbers = this.numbers.splice(0, events.length);
    const publishedAt = this.now();
    return events.map((event, index) => ({ seq: numbers[index]!, publishedAt, event }));
  }

  /**
   * Inserts the events and their deliveries, except the `handled` ones, in one statement. Returns the new deliveries; those of
   * `mine` are leased. A `relaxed` insert need not be durable at once.
   */
  async insert(
    events: readonly NumberedEvent[],
    {
      mine,
      handled = [],
      relaxed = false,
    }: { mine: readonly string[]; handled?: readonly DeliveryRef[]; relaxed?: boolean },
  ): Promise<DeliveryRef[]> {
    return this.rows(
      'bus-insert',
      `WITH stored AS (
         INSERT INTO bus_events (seq, id, topic, key, version, payload, headers, republished, published_at)
         OVERRIDING SYSTEM VALUE
         SELECT seq, id, topic, key, version, payload, headers::jsonb, republished, published_at
         FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bytea[], $7::text[], $8::boolean[], $9::timestamptz[])
           AS given (seq, id, topic, key, version, payload, headers, republished, published_at),
           (SELECT CASE WHEN $13 THEN set_config('synchronous_commit', 'off', true) END) AS relaxed
         ON CONFLICT (id) DO NOTHING
         RETURNING seq, topic, republished),
       due AS (
         INSERT INTO bus_deliveries (seq, grp, due_at)
         SELECT stored.seq, s.grp, CASE WHEN s.grp = ANY($10::text[]) THEN now() + ${LEASE} ELSE now() END
         FROM stored JOIN bus_subscriptions s USING (topic)
         WHERE NOT (s.reaction AND stored.republished)
           AND (stored.seq, s.grp) NOT IN (SELECT * FROM unnest($11::bigint[], $12::text[]))
         RETURNING seq, grp)
       SELECT seq, grp AS "group" FROM due ORDER BY seq`,
      [
        events.map(({ seq }) => seq),
        events.map(({ event }) => event.id),
        events.map(({ event }) => event.topic),
        events.map(({ event }) => event.key),
        events.map(({ event }) => event.version),
        events.map(({ event: { payload } }) =>
          Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength),
        ),
        events.map(({ event }) => JSON.stringify(event.headers)),
        events.map(({ event }) => event.republished),
        events.map(({ publishedAt }) => publishedAt),
        mine,
        handled.map(({ seq }) => seq),
        handled.map(({ group }) => group),
        relaxed,
      ],
    );
  }

  /** The topics that groups of other processes consume. */
  async topicsElsewhere(groups: readonly string[]): Promise<string[]> {
    const found = await this.rows<{ topic: string }>(
      'bus-elsewhere',
      'SELECT DISTINCT topic FROM bus_subscriptions WHERE grp <> ALL($1::text[])',
      [groups],
    );
    return found.map(({ topic }) => topic);
  }

  /**
   * Claims outstanding deliveries of `groups`, oldest first, except those in `held`. With `all` it also claims
   * deliveries whose lease has not expired: for a process that knows that it is the holder itself or the holder is dead.
   */
  async claim(options: {
    groups: readonly string[];
    held: readonly DeliveryRef[];
    all: boolean;
    limit: number;
  }): Promise<StoredDelivery[]> {
    const { groups, held, all, limit } = options;
    const rows = await this.rows<DeliveryRow>(
      'bus-claim',
      `WITH due AS (
         SELECT seq, grp FROM bus_deliveries d
         WHERE grp = ANY($1::text[]) AND ($2 OR due_at <= now()) AND NOT EXISTS (
           SELECT FROM unnest($3::bigint[], $4::text[]) AS held (seq, grp)
           WHERE held.seq = d.seq AND held.grp = d.grp)
         ORDER BY seq LIMIT $5 FOR UPDATE SKIP LOCKED),
       taken AS (
         UPDATE bus_deliveries d SET due_at = now() + ${LEASE} FROM due
         WHERE d.seq = due.seq AND d.grp = due.grp
         RETURNING d.seq, d.grp, d.attempts)
       SELECT seq, grp AS "group", attempts, id, topic, key, version, payload, headers, republished
       FROM taken JOIN bus_events USING (seq) ORDER BY seq`,
      [groups, all, held.map(({ seq }) => seq), held.map(({ group }) => group), limit],
    );
    return rows.map(deliveryOf);
  }

  /** Removes handled deliveries. Need not be durable at once: after a crash such a delivery is handled once more. */
  async acknowledge(deliveries: readonly DeliveryRef[]): Promise<void> {
    await this.rows(
      'bus-acknowledge',
      `DELETE FROM bus_deliveries d
       USING unnest($1::bigint[], $2::text[]) AS handled (seq, grp),
         set_config('synchronous_commit', 'off', true) AS relaxed
       WHERE d.seq = handled.seq AND d.grp = handled.grp`,
      [deliveries.map(({ seq }) => seq), deliveries.map(({ group }) => group)],
    );
  }

  async noteAttempts({ seq, group }: DeliveryRef, attempts: number): Promise<void> {
    await this.rows(
      'bus-attempts',
      `UPDATE bus_deliveries SET attempts = $3, due_at = now() + ${LEASE} WHERE seq = $1 AND grp = $2`,
      [seq, group, attempts],
    );
  }

  async deadLetter({ seq, group }: DeliveryRef, attempts: number, error: string): Promise<void> {
    await this.rows(
      'bus-dead-letter',
      `WITH dead AS (DELETE FROM bus_deliveries WHERE seq = $1 AND grp = $2 RETURNING seq, grp)
       INSERT INTO bus_dead_letters (seq, grp, attempts, error, failed_at) SELECT seq, grp, $3, $4, $5 FROM dead
       ON CONFLICT (seq, grp) DO UPDATE SET attempts = excluded.attempts, error = excluded.error`,
      [seq, group, attempts, error, this.now()],
    );
  }

  /** The next dead letters of a group, or only that of `eventId`, with their events, in the order of publication. */
  async deadLetterEvents(
    group: string,
    eventId: string | undefined,
    afterSeq: string,
  ): Promise<StoredDeadLetter[]> {
    const rows = await this.rows<DeliveryRow & { failedAt: Date }>(
      'bus-dead-letter-events',
      `SELECT failed_at AS "failedAt", seq, grp AS "group", attempts, id, topic, key, version, payload, headers, republished
       FROM bus_dead_letters JOIN bus_events USING (seq)
       WHERE grp = $1 AND ($2::text IS NULL OR id = $2) AND seq > $3 ORDER BY seq LIMIT ${DEAD_LETTERS_PAGE}`,
      [group, eventId ?? null, afterSeq],
    );
    return rows.map(({ failedAt, ...row }) => ({ ...deliveryOf(row), failedAt }));
  }

  /**
   * Runs `work` while no other process can redeliver, discard or expire the dead letter. Removes the letter if `work`
   * resolves to undefined, else stores the error that it resolves to. Does nothing and resolves to false if another process
   * has removed the letter or redelivers it at this time.
   */
  async redeliver({ seq, group }: DeliveryRef, work: () => Promise<string | undefined>): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const letter = [seq, group];
      // The transaction waits for the handler, which may take longer than a pool lets transactions wait for nothing.
      await client.query(`SET LOCAL idle_in_transaction_session_timeout = '${REDELIVERY}'`);
      const { rowCount } = await client.query(
        'SELECT FROM bus_dead_letters WHERE seq = $1 AND grp = $2 FOR UPDATE SKIP LOCKED',
        letter,
      );
      if (rowCount === 0) return false;
      const error = await work();
      if (error === undefined)
        await client.query('DELETE FROM bus_dead_letters WHERE seq = $1 AND grp = $2', letter);
      else
        await client.query('UPDATE bus_dead_letters SET error = $3 WHERE seq = $1 AND grp = $2', [
          ...letter,
          error,
        ]);
      return true;
    });
  }

  /** Returns whether there was such a dead letter. */
  async discard(group: string, eventId: string): Promise<boolean> {
    const removed = await this.rows(
      'bus-discard',
      `DELETE FROM bus_dead_letters l USING bus_events e WHERE l.grp = $1 AND e.seq = l.seq AND e.id = $2 RETURNING l.seq`,
      [group, eventId],
    );
    return removed.length > 0;
  }

  deadLetters(groups: readonly string[], eventId: string | undefined): Promise<DeadLetter[]> {
    return this.rows(
      'bus-dead-letters',
      `SELECT grp AS "group", id AS "eventId", topic, key, attempts, error, failed_at AS "failedAt"
       FROM bus_dead_letters JOIN bus_events USING (seq)
       WHERE grp = ANY($1::text[]) AND ($2::text IS NULL OR id = $2) ORDER BY seq LIMIT ${DEAD_LETTERS_LISTED}`,
      [groups, eventId ?? null],
    );
  }

  /** The projections of these topics in all processes. */
  projections(topics: readonly string[]): Promise<{ group: string; topic: string }[]> {
    return this.rows(
      'bus-projections',
      `SELECT grp AS "group", topic FROM bus_subscriptions WHERE topic = ANY($1::text[]) AND NOT reaction`,
      [topics],
    );
  }

  /** The topics of which one of these groups has not got all states. */
  async unfilledTopics(groups: readonly string[]): Promise<string[]> {
    const found = await this.rows<{ topic: string }>(
      'bus-unfilled',
      'SELECT DISTINCT topic FROM bus_subscriptions WHERE grp = ANY($1::text[]) AND NOT filled ORDER BY topic',
      [groups],
    );
    return found.map(({ topic }) => topic);
  }

  async markFilled(groups: readonly string[], topic: string): Promise<void> {
    await this.rows(
      'bus-filled',
      'UPDATE bus_subscriptions SET filled = true WHERE grp = ANY($1::text[]) AND topic = $2',
      [groups, topic],
    );
  }

  /** Outstanding deliveries by group. */
  pending(groups: readonly string[]): Promise<{ group: string; count: number }[]> {
    return this.rows(
      'bus-pending',
      `SELECT grp AS "group", count(*)::int AS count FROM bus_deliveries WHERE grp = ANY($1::text[]) GROUP BY grp`,
      [groups],
    );
  }

  /** Whether `group` has not handled all states of a republication yet. */
  async isRepublishing(group: string, topic: string, run: string): Promise<boolean> {
    const found = await this.rows(
      'bus-republishing',
      `SELECT FROM bus_deliveries d JOIN bus_events e USING (seq)
       WHERE d.grp = $1 AND e.topic = $2 AND e.version > 0 AND e.headers ->> '${REPUBLICATION_HEADER}' = $3 LIMIT 1`,
      [group, topic, run],
    );
    return found.length > 0;
  }

  /** Whether `groups` have handled the token's state or a newer one, as far as events are retained. */
  async hasHandled({ topic, key, version }: ConsistencyToken, groups: readonly string[]): Promise<boolean> {
    const found = await this.rows(
      'bus-handled',
      `SELECT FROM bus_events e WHERE topic = $1 AND key = $2 AND version >= $3
         AND NOT EXISTS (SELECT FROM bus_deliveries d WHERE d.seq = e.seq AND d.grp = ANY($4::text[]))
         AND NOT EXISTS (SELECT FROM bus_dead_letters l WHERE l.seq = e.seq AND l.grp = ANY($4::text[])) LIMIT 1`,
      [topic, key, version, groups],
    );
    return found.length > 0;
  }

  /**
   * Removes old dead letters, old events without deliveries or dead letters, and groups that have not run for 7 days with
   * their deliveries. In batches: ends early when `stopping` aborts.
   */
  async sweep(groups: readonly string[], stopping: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now() - EVENTS_KEPT_MS);
    await this.rows('bus-seen', 'UPDATE bus_subscriptions SET seen_at = $2 WHERE grp = ANY($1::text[])', [
      groups,
      this.now(),
    ]);
    await this.rows('bus-forget-groups', 'DELETE FROM bus_subscriptions WHERE seen_at < $1', [before]);
    await this.removeAll(
      'bus-forget-deliveries',
      `DELETE FROM bus_deliveries WHERE (seq, grp) IN (
         SELECT seq, grp FROM bus_deliveries d
         WHERE NOT EXISTS (SELECT FROM bus_subscriptions s WHERE s.grp = d.grp) LIMIT ${SWEEP_BATCH})
       RETURNING seq`,
      [],
      stopping,
    );
    await this.removeAll(
      'bus-forget-letters',
      `DELETE FROM bus_dead_letters WHERE (seq, grp) IN (
         SELECT seq, grp FROM bus_dead_letters WHERE failed_at < $1 LIMIT ${SWEEP_BATCH})
       RETURNING seq`,
      [new Date(this.clock.now() - DEAD_LETTERS_KEPT_MS)],
      stopping,
    );
    await this.removeAll(
      'bus-sweep',
      `DELETE FROM bus_events WHERE seq IN (
         SELECT seq FROM bus_events e WHERE published_at < $1
           AND NOT EXISTS (SELECT FROM bus_deliveries d WHERE d.seq = e.seq)
           AND NOT EXISTS (SELECT FROM bus_dead_letters l WHERE l.seq = e.seq)
         LIMIT ${SWEEP_BATCH})
       RETURNING seq`,
      [before],
      stopping,
    );
  }

  /** `text` deletes up to `SWEEP_BATCH` rows and returns them. */
  private removeAll(name: string, text: string, values: unknown[], stopping: AbortSignal): Promise<void> {
    return untilLessThan(SWEEP_BATCH, stopping, async () => (await this.rows(name, text, values)).length);
  }

  private now(): Date {
    return new Date(this.clock.now());
  }

  /** Statements are named, so that each connection parses and plans each of them once. */
  private async rows<R extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]> {
    const { rows } = await this.pool.query<R>({ name, text, values });
    return rows;
  }
}

/** PostgreSQL's driver returns `version` as text. */
type DeliveryRow = Omit<EventRecord, 'version'> & DeliveryRef & { attempts: number; version: string };

function deliveryOf({ seq, group, attempts, version, ...event }: DeliveryRow): StoredDelivery {
  return { seq, group, attempts, event: { ...event, version: Number(version) } };
}
