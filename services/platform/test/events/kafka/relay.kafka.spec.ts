import { DataSource } from 'typeorm';
import { drainEvents } from '../../../src/events/outbox/drain-events.js';
import { KafkaBus } from '../../../src/events/kafka/kafka-bus.js';
import { OutboxRelay } from '../../../src/events/outbox/outbox.js';
import { CreateLeases1765100000000 } from '../../../src/postgres/create-leases.migration.js';
import { CreateOutbox1700000000000, PostgresOutbox } from '../../../src/postgres/postgres-outbox.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import { aPostgresDatabase } from '../../../testing/databases.js';
import { onTestEnd } from '../../../testing/on-test-end.js';
import { aPost, Recorder } from '../recorder.js';
import { logger, openKafkaHouse } from './kafka-fixture.js';
import { stageEvent } from '../../stage-event.js';

const WRITERS = 20;
const WRITES_EACH = 50;
/** Longer than any test: what arrives was not found by polling. */
const NEVER_MS = 3_600_000;

// How long it takes is measured by `npm run bench events`.
it('hands every committed event from the outbox to a projection once, without waiting for a poll', async () => {
  const fixture = await openKafkaHouse(6);
  const database = await aPostgresDatabase('platform');
  onTestEnd(() => database.drop());
  const dataSource = new DataSource({
    type: 'postgres',
    url: database.url,
    migrations: [CreateOutbox1700000000000, CreateLeases1765100000000],
  });
  await dataSource.initialize();
  onTestEnd(() => dataSource.destroy());
  await dataSource.runMigrations();
  const projection = new Recorder('projection');
  const bus = new KafkaBus({ config: fixture.config, logger });
  onTestEnd(() => bus.stop());
  bus.subscribe(projection);
  await bus.start();
  const relay = new OutboxRelay({
    sources: [new PostgresOutbox(dataSource)],
    bus: await fixture.bus([]),
    logger,
    pollMs: NEVER_MS,
  });
  relay.start();
  onTestEnd(() => relay.stop());

  const written: string[] = [];
  const write = async (id: string) => {
    await dataSource.transaction((manager) => stageEvent(manager, postTopic, aPost({ id })));
    written.push(`${id}@1`);
    relay.nudge();
  };
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let count = 0; count < WRITES_EACH; count += 1) await write(`post-${writer}-${count}`);
    }),
  );
  await drainEvents({ relays: [relay], bus, timeoutMs: 100_000 });
  expect(projection.handled.toSorted()).toEqual(written.toSorted());
}, 300_000);
