import { pino } from 'pino';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Consumer } from '../../src/events/event-bus.js';
import { InProcessBus } from '../../src/events/in-process/in-process-bus.js';
import { OutboxRelay } from '../../src/events/outbox/outbox.js';
import type { OutboxSource } from '../../src/events/outbox/outbox-source.js';
import { CreateOutbox1700000000000, PostgresOutbox } from '../../src/postgres/postgres-outbox.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import type { PostState } from '@pulso/contracts/posts/v1/events';
import { CreateLeases1765100000000 } from '../../src/postgres/create-leases.migration.js';

/** The steps at which the process is killed. */
export type Step = 'committed' | 'published' | 'handled';

/**
 * A small complete system on one database: an outbox, its relay, the bus and a projection. `reached` is called at every
 * step and holds the system there until it resolves.
 */
export async function openSystem(url: string, reached: (step: Step) => Promise<void>) {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    migrations: [CreateOutbox1700000000000, CreateLeases1765100000000],
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  const pool = new pg.Pool({ connectionString: url });
  // A connection that is lost while nothing uses it is replaced: without a listener it would end the process.
  pool.on('error', () => undefined);
  const logger = pino({ level: 'silent' });
  const outbox: OutboxSource = new PostgresOutbox(dataSource);
  const held: OutboxSource = {
    async pending(limit, except) {
      const read = await outbox.pending(limit, except);
      if (read.events.length > 0) await reached('committed');
      return read;
    },
    async published(events) {
      await reached('published');
      await outbox.published(events);
    },
    claim: () => outbox.claim(),
    unclaim: () => outbox.unclaim(),
    depth: () => outbox.depth(),
  };
  const bus = new InProcessBus({ pool, logger });
  const relay = new OutboxRelay({ sources: [held], bus, logger });
  const projection: Consumer<PostState> = {
    group: 'projection',
    topic: postTopic,
    async handle({ id, version }) {
      await pool.query(
        `INSERT INTO projection VALUES ($1, $2, 1) ON CONFLICT (id) DO UPDATE
           SET version = greatest(projection.version, excluded.version), handled = projection.handled + 1`,
        [id, version],
      );
      await reached('handled');
    },
  };
  bus.subscribe(projection);
  await bus.start();
  relay.start();
  return {
    dataSource,
    relay,
    bus,
    async close() {
      await relay.stop();
      await bus.stop();
      await dataSource.destroy();
      await pool.end();
    },
  };
}
