import type { Pool } from 'pg';
import { inTransaction } from './in-transaction.js';

// `bus_deliveries` holds outstanding deliveries: a row is inserted with its event and deleted when the handler is done.
// `bus_subscriptions.filled` is false for a new projection until its owner's states have been published again for it.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS bus_events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    topic text NOT NULL,
    key text NOT NULL,
    version bigint NOT NULL,
    payload bytea NOT NULL,
    headers jsonb NOT NULL,
    republished boolean NOT NULL,
    published_at timestamptz(3) NOT NULL
  );
  CREATE INDEX IF NOT EXISTS bus_events_by_key ON bus_events (topic, key, version);
  CREATE INDEX IF NOT EXISTS bus_events_by_age ON bus_events USING brin (published_at);
  CREATE TABLE IF NOT EXISTS bus_subscriptions (
    grp text NOT NULL,
    topic text NOT NULL,
    reaction boolean NOT NULL,
    seen_at timestamptz(3) NOT NULL,
    PRIMARY KEY (grp, topic)
  );
  ALTER TABLE bus_subscriptions ADD COLUMN IF NOT EXISTS filled boolean NOT NULL DEFAULT true;
  CREATE INDEX IF NOT EXISTS bus_subscriptions_by_topic ON bus_subscriptions (topic);
  CREATE TABLE IF NOT EXISTS bus_deliveries (
    seq bigint NOT NULL REFERENCES bus_events ON DELETE CASCADE,
    grp text NOT NULL,
    attempts int NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL,
    PRIMARY KEY (seq, grp)
  );
  CREATE TABLE IF NOT EXISTS bus_dead_letters (
    seq bigint NOT NULL REFERENCES bus_events,
    grp text NOT NULL,
    attempts int NOT NULL,
    error text NOT NULL,
    failed_at timestamptz(3) NOT NULL,
    PRIMARY KEY (seq, grp)
  );`;

const LOCK_ID = 7_240_119;

/** Creates the bus's tables. Safe to repeat and to run in several processes at once. */
export async function migrateBus(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_ID]);
    await client.query(SCHEMA);
  });
}
