import { DataSource } from 'typeorm';
import type { OutboxExcept } from '../../src/events/outbox/outbox-source.js';
import { CreateLeases1765100000000 } from '../../src/postgres/create-leases.migration.js';
import {
  CreateOutbox1700000000000,
  IndexOutbox1764300000000,
  PostgresOutbox,
} from '../../src/postgres/postgres-outbox.js';
import { aPostgresDatabase } from '../../testing/databases.js';
import { onTestEnd } from '../../testing/on-test-end.js';

/** A database with an outbox, which is dropped when the test ends. */
export async function anOutboxDatabase() {
  const database = await aPostgresDatabase('platform');
  onTestEnd(() => database.drop());
  const dataSource = new DataSource({
    type: 'postgres',
    url: database.url,
    migrations: [CreateOutbox1700000000000, IndexOutbox1764300000000, CreateLeases1765100000000],
  });
  await dataSource.initialize();
  onTestEnd(() => dataSource.destroy());
  await dataSource.runMigrations();
  const outbox = new PostgresOutbox(dataSource);
  return {
    pool: database.pool,
    dataSource,
    outbox,
    /** The first 200 events. */
    async pending(except?: OutboxExcept) {
      const { events, failures } = await outbox.pending(200, except);
      expect(failures).toEqual([]);
      return events;
    },
    /** Adds rows of a topic with the keys `1` to `count`. The oldest one has the age, such as `1 hour`. */
    async fill(topic: string, count: number, age: string): Promise<void> {
      await dataSource.query(
        `INSERT INTO outbox (topic, key, version, payload, staged_at)
         SELECT $1, n::text, 1, '', now() - $3::interval + (n - 1) * interval '1 millisecond'
         FROM generate_series(1, $2::int) AS n`,
        [topic, count, age],
      );
    },
  };
}
