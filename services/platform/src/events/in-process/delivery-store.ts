import type { Pool } from 'pg';
import type { ConsistencyToken } from '../../context/request-context.js';
import type { Clock } from '../../time/clock.js';
import type { EventRecord } from '../event-bus.js';
import { REPUBLICATION_HEADER } from '../event-record.js';
import { namedRows } from './named-rows.js';
import { type DeliveryRef, deliveryOf, type DeliveryRow, type StoredDelivery } from './stored-delivery.js';

/** An event with the number that its row has or will have. */
export interface NumberedEvent {
  seq: string;
  publishedAt: Date;
  event: EventRecord;
}

/** How long a delivery belongs to the process that claimed it; afterwards another process may claim it. */
const LEASE = `interval '30 seconds'`;
/** How many numbers of events are taken at once. */
const NUMBERS = 500;

/** The statements of the in-process bus about events and what is to be delivered of them. Leases use the database's clock. */
export class DeliveryStore {
  private readonly numbers: string[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Takes numbers for new events, in their order; most calls need no statement. */
  async numbered(events: readonly EventRecord[]): Promise<NumberedEvent[]> {
    while (this.numbers.length < events.length) {
      const taken = await namedRows<{ seq: string }>(
        this.pool,
        'bus-numbers',
        `SELECT nextval(pg_get_serial_sequence('bus_events', 'seq')) AS seq FROM generate_series(1, $1::int)`,
        [Math.max(NUMBERS, events.length)],
      );
      this.numbers.push(...taken.map(({ seq }) => seq));
    }
    const numbers = this.numbers.splice(0, events.length);
    const publishedAt = new Date(this.clock.now());
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
    return namedRows(
      this.pool,
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
    const rows = await namedRows<DeliveryRow>(
      this.pool,
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
    await namedRows(
      this.pool,
      'bus-acknowledge',
      `DELETE FROM bus_deliveries d
       USING unnest($1::bigint[], $2::text[]) AS handled (seq, grp),
         set_config('synchronous_commit', 'off', true) AS relaxed
       WHERE d.seq = handled.seq AND d.grp = handled.grp`,
      [deliveries.map(({ seq }) => seq), deliveries.map(({ group }) => group)],
    );
  }

  async noteAttempts({ seq, group }: DeliveryRef, attempts: number): Promise<void> {
    await namedRows(
      this.pool,
      'bus-attempts',
      `UPDATE bus_deliveries SET attempts = $3, due_at = now() + ${LEASE} WHERE seq = $1 AND grp = $2`,
      [seq, group, attempts],
    );
  }

  async deadLetter({ seq, group }: DeliveryRef, attempts: number, error: string): Promise<void> {
    await namedRows(
      this.pool,
      'bus-dead-letter',
      `WITH dead AS (DELETE FROM bus_deliveries WHERE seq = $1 AND grp = $2 RETURNING seq, grp)
       INSERT INTO bus_dead_letters (seq, grp, attempts, error, failed_at) SELECT seq, grp, $3, $4, $5 FROM dead
       ON CONFLICT (seq, grp) DO UPDATE SET attempts = excluded.attempts, error = excluded.error`,
      [seq, group, attempts, error, new Date(this.clock.now())],
    );
  }

  /** Outstanding deliveries by group. */
  pending(groups: readonly string[]): Promise<{ group: string; count: number }[]> {
    return namedRows(
      this.pool,
      'bus-pending',
      `SELECT grp AS "group", count(*)::int AS count FROM bus_deliveries WHERE grp = ANY($1::text[]) GROUP BY grp`,
      [groups],
    );
  }

  /** Whether `group` has not handled all states of a republication yet. */
  async isRepublishing(group: string, topic: string, run: string): Promise<boolean> {
    const found = await namedRows(
      this.pool,
      'bus-republishing',
      `SELECT FROM bus_deliveries d JOIN bus_events e USING (seq)
       WHERE d.grp = $1 AND e.topic = $2 AND e.version > 0 AND e.headers ->> '${REPUBLICATION_HEADER}' = $3 LIMIT 1`,
      [group, topic, run],
    );
    return found.length > 0;
  }

  /** Whether `groups` have handled the token's state or a newer one, as far as events are retained. */
  async hasHandled({ topic, key, version }: ConsistencyToken, groups: readonly string[]): Promise<boolean> {
    const found = await namedRows(
      this.pool,
      'bus-handled',
      `SELECT FROM bus_events e WHERE topic = $1 AND key = $2 AND version >= $3
         AND NOT EXISTS (SELECT FROM bus_deliveries d WHERE d.seq = e.seq AND d.grp = ANY($4::text[]))
         AND NOT EXISTS (SELECT FROM bus_dead_letters l WHERE l.seq = e.seq AND l.grp = ANY($4::text[])) LIMIT 1`,
      [topic, key, version, groups],
    );
    return found.length > 0;
  }
}
