import type { DataSource, EntityManager, MigrationInterface, QueryRunner } from 'typeorm';
import { currentContext } from '../context/request-context.js';
import type { EventRecord } from '../events/event-bus.js';
import { eventRecord } from '../events/event-record.js';
import type { OutboxSource, Pending } from '../events/outbox-source.js';
import type { Topic } from '@pulso/contracts/topics/topic';

/** Creates the table `outbox`. Every service on PostgreSQL lists it among its migrations. */
export class CreateOutbox1700000000000 implements MigrationInterface {
  readonly name = 'CreateOutbox1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        topic text NOT NULL,
        key text NOT NULL,
        version bigint NOT NULL,
        payload bytea NOT NULL,
        traceparent text,
        staged_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (topic, key)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
  }
}

/** The relay reads the oldest rows first, also when a long outage of the broker has left a million of them. */
export class IndexOutbox1764300000000 implements MigrationInterface {
  readonly name = 'IndexOutbox1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX outbox_staged_at_idx ON outbox (staged_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX outbox_staged_at_idx');
  }
}

/** Like `stageEvents`, for one state. */
export function stageEvent<T>(manager: EntityManager, topic: Topic<T>, state: T): Promise<void> {
  return stageEvents(manager, topic, [state]);
}

/**
 * Puts `states` into the outbox within the transaction of `manager`, by one statement: one row per topic and key, the newest
 * version wins. After the commit call `relay.nudge()`.
 */
export async function stageEvents<T>(
  manager: EntityManager,
  topic: Topic<T>,
  states: readonly T[],
): Promise<void> {
  // One statement may not write a row twice.
  const newest = new Map<string, T>();
  for (const state of states) {
    const key = topic.keyOf(state);
    const other = newest.get(key);
    if (other === undefined || topic.versionOf(other) < topic.versionOf(state)) newest.set(key, state);
  }
  if (newest.size === 0) return;
  const rows = [...newest.values()];
  await manager.query(
    `INSERT INTO outbox (topic, key, version, payload, traceparent)
     SELECT $1, key, version, payload, $5 FROM unnest($2::text[], $3::bigint[], $4::bytea[]) AS staged (key, version, payload)
     ON CONFLICT (topic, key) DO UPDATE
       SET version = excluded.version, payload = excluded.payload, traceparent = excluded.traceparent
       WHERE outbox.version < excluded.version`,
    [
      topic.name,
      [...newest.keys()],
      rows.map((state) => topic.versionOf(state)),
      rows.map((state) => asBuffer(topic.codec.encode(state))),
      currentContext()?.traceparent ?? null,
    ],
  );
}

interface OutboxRow {
  topic: string;
  key: string;
  version: string;
  payload: Buffer;
  traceparent: string | null;
}

/** The outbox of one service's database. Any number of relays may read it. */
export class PostgresOutbox implements OutboxSource {
  constructor(private readonly dataSource: DataSource) {}

  async pending(limit: number): Promise<Pending> {
    const rows = await this.dataSource.query<OutboxRow[]>(
      'SELECT topic, key, version, payload, traceparent FROM outbox ORDER BY staged_at LIMIT $1',
      [limit],
    );
    const events = rows.map((row) => eventRecord({ ...row, version: Number(row.version) }));
    return { events, failures: [] };
  }

  async published(events: readonly EventRecord[]): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM outbox USING unnest($1::text[], $2::text[], $3::bigint[]) AS sent (topic, key, version)
       WHERE outbox.topic = sent.topic AND outbox.key = sent.key AND outbox.version = sent.version`,
      [events.map(({ topic }) => topic), events.map(({ key }) => key), events.map(({ version }) => version)],
    );
  }

  async claim(): Promise<boolean> {
    return true;
  }

  async unclaim(): Promise<void> {}

  async depth(): Promise<number> {
    const [row] = await this.dataSource.query<{ depth: number }[]>(
      'SELECT count(*)::int AS depth FROM outbox',
    );
    return row!.depth;
  }
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
