import type { DataSource, EntityManager, MigrationInterface, QueryRunner } from 'typeorm';
import { currentContext } from '../context/request-context.js';
import type { EventRecord } from '../events/event-bus.js';
import { eventRecord } from '../events/event-record.js';
import type { OutboxExcept, OutboxSource, Pending } from '../events/outbox/outbox-source.js';
import { PostgresLease } from './postgres-lease.js';
import { rowsIn, type Statement, statement, Statements } from './statements.js';
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

/**
 * SQL with the parameters $1 to $5: puts states into the outbox and returns their keys. As `staged` of a larger statement it
 * writes rows and their events at once: see `Transaction.publishWith`.
 */
export const STAGE_EVENTS = `INSERT INTO outbox (topic, key, version, payload, traceparent)
   SELECT $1, key, version, payload, $5 FROM unnest($2::text[], $3::bigint[], $4::bytea[]) AS staged (key, version, payload)
   ON CONFLICT (topic, key) DO UPDATE
     SET version = excluded.version, payload = excluded.payload, traceparent = excluded.traceparent
     WHERE outbox.version < excluded.version
   RETURNING key`;

const STAGE = statement<{ key: string }>('outbox.stage', STAGE_EVENTS);

/** A statement with `STAGE_EVENTS` that returns its keys, and the values of its further parameters, from $6 on. */
export interface Staging {
  asked: Statement<{ key: string }>;
  values: readonly unknown[];
}

interface Staged {
  key: string;
  version: number;
  payload: Buffer;
}

/**
 * Puts `states` into the outbox within the transaction of `manager`, by one statement: one row per topic and key, the newest
 * version wins. Rejects if a newer state of one of them, or another one of the same version, waits there already: its writer
 * and this one did not wait for each other, and consumers would keep the state that the row no longer has. After the commit
 * call `relay.nudge()`.
 */
export async function stageEvents<T>(
  manager: EntityManager,
  topic: Topic<T>,
  states: readonly T[],
  { asked, values }: Staging = { asked: STAGE, values: [] },
): Promise<void> {
  // One statement may not write a row twice.
  const newest = new Map<string, T>();
  for (const state of states) {
    const key = topic.keyOf(state);
    const other = newest.get(key);
    if (other === undefined || topic.versionOf(other) < topic.versionOf(state)) newest.set(key, state);
  }
  if (newest.size === 0) return;
  const rows = [...newest].map(([key, state]): Staged => {
    return { key, version: topic.versionOf(state), payload: asBuffer(topic.codec.encode(state)) };
  });
  const written = await rowsIn(manager, asked, [
    topic.name,
    rows.map(({ key }) => key),
    rows.map(({ version }) => version),
    rows.map(({ payload }) => payload),
    currentContext()?.traceparent ?? null,
    ...values,
  ]);
  if (written.length === rows.length) return;
  const keys = new Set(written.map(({ key }) => key));
  await assertStand(
    manager,
    topic.name,
    rows.filter(({ key }) => !keys.has(key)),
  );
}

/** Rejects unless the outbox has these states already. Their rows are locked by the insert that found them. */
async function assertStand(manager: EntityManager, topic: string, rows: readonly Staged[]): Promise<void> {
  const found = await manager.query<{ key: string; version: string; payload: Buffer }[]>(
    'SELECT key, version, payload FROM outbox WHERE topic = $1 AND key = ANY ($2::text[])',
    [topic, rows.map(({ key }) => key)],
  );
  const waiting = new Map(found.map((row) => [row.key, row]));
  for (const { key, version, payload } of rows) {
    const other = waiting.get(key);
    if (other && Number(other.version) === version && payload.equals(other.payload)) continue;
    throw new Error(
      `${topic} ${key}: version ${version} follows version ${other?.version}, which is not published yet: a writer does not lock the row`,
    );
  }
}

interface OutboxRow {
  topic: string;
  key: string;
  version: string;
  payload: Buffer;
  traceparent: string | null;
}

/**
 * A row that another relay removes, or that a writer replaces, is left to them: two statements that waited for rows of each other would
 * end in a deadlock. What stays is published again, which changes nothing.
 */
const REMOVE = statement(
  'outbox-remove',
  `DELETE FROM outbox WHERE ctid = ANY (ARRAY (
     SELECT outbox.ctid FROM outbox
     JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS sent (topic, key, version) USING (topic, key, version)
     FOR UPDATE OF outbox SKIP LOCKED))`,
);

/** The outbox of one service's database. Any number of relays may read it. */
export class PostgresOutbox implements OutboxSource {
  private readonly lease: PostgresLease;
  private readonly statements: Statements;

  /** `elapsed` is a clock of this process that never goes back, in ms. */
  constructor(
    private readonly dataSource: DataSource,
    elapsed?: () => number,
  ) {
    this.statements = new Statements(dataSource);
    this.lease = new PostgresLease('outbox', dataSource, elapsed);
  }

  /**
   * What is left out is filtered, not joined: so the rows are read in their order, by the index, until there are enough. Not a named
   * statement: each call is planned for its limit. Mostly nothing is left out: planning the filters would then cost more than the rest.
   */
  async pending(limit: number, { topics, entities }: OutboxExcept = NO_EXCEPTIONS): Promise<Pending> {
    const nothingLeftOut = topics.length === 0 && entities.length === 0;
    const left = [topics, entities.map(({ topic }) => topic), entities.map(({ key }) => key)];
    const rows = await this.dataSource.query<OutboxRow[]>(
      `SELECT topic, key, version, payload, traceparent FROM outbox
       ${nothingLeftOut ? '' : LEFT_OUT}
       ORDER BY staged_at LIMIT $1`,
      nothingLeftOut ? [limit] : [limit, ...left],
    );
    const events = rows.map((row) => eventRecord({ ...row, version: Number(row.version) }));
    return { events, failures: [] };
  }

  async published(events: readonly EventRecord[]): Promise<void> {
    await this.statements.rows(REMOVE, [
      events.map(({ topic }) => topic),
      events.map(({ key }) => key),
      events.map(({ version }) => version),
    ]);
  }

  claim(): Promise<boolean> {
    return this.lease.claim();
  }

  unclaim(): Promise<void> {
    return this.lease.unclaim();
  }

  async depth(): Promise<number> {
    const [row] = await this.dataSource.query<{ depth: number }[]>(
      'SELECT count(*)::int AS depth FROM outbox',
    );
    return row!.depth;
  }
}

const LEFT_OUT =
  'WHERE topic <> ALL ($2::text[]) AND (topic, key) NOT IN (SELECT * FROM unnest($3::text[], $4::text[]))';

const NO_EXCEPTIONS: OutboxExcept = { topics: [], entities: [] };

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
