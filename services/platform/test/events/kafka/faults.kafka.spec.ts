import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startKafka } from '../../../../../tools/engines/kafka.mjs';
import { drainEvents } from '../../../src/events/outbox/drain-events.js';
import { createTopics } from '../../../src/events/kafka/create-topics.js';
import { KafkaBus } from '../../../src/events/kafka/kafka-bus.js';
import { postEvent, Recorder } from '../recorder.js';
import { aPostgresDatabase } from '../../../testing/databases.js';
import { onTestEnd } from '../../../testing/on-test-end.js';
import { until } from '../../../testing/until.js';
import { killWhenItSays } from '../../process/kill-when-it-says.js';
import { countingProjection } from './counting-projection.js';
import { SOON_DEAD } from './group-limits.js';
import { kafkaConfig, logger, openKafkaHouse, testTopics } from './kafka-fixture.js';

const here = dirname(fileURLToPath(import.meta.url));

describe('a consumer killed between effect and commit', () => {
  it('leaves its events to the next consumer, which skips none', async () => {
    const fixture = await openKafkaHouse(1);
    const database = await aPostgresDatabase('platform');
    onTestEnd(() => database.drop());
    await database.pool.query('CREATE TABLE projection (id text PRIMARY KEY, handled int)');
    const publisher = await fixture.bus([]);
    await publisher.publish(['first', 'last'].map((id) => postEvent(id)));
    await killOnceHandled(database.url, fixture.config);
    await publisher.publish([postEvent('later')]);

    const bus = new KafkaBus({ config: fixture.config, logger, limits: SOON_DEAD });
    onTestEnd(() => bus.stop());
    bus.subscribe(countingProjection(database.pool));
    await bus.start();
    await drainEvents({ relays: [], bus, timeoutMs: 150_000 });
    const { rows } = await database.pool.query('SELECT * FROM projection ORDER BY id');
    // Both were handled at once: `first` may or may not have been done when the process was killed.
    expect(rows).toEqual([
      { id: 'first', handled: expect.any(Number) },
      { id: 'last', handled: 2 },
      { id: 'later', handled: 1 },
    ]);
  }, 240_000);
});

/** Runs a consumer until it has done the effect of the key `last`, and kills it there. */
function killOnceHandled(url: string, config: { KAFKA_BROKERS: string[]; KAFKA_PREFIX: string }) {
  const env = {
    ...process.env,
    KAFKA_BROKERS: config.KAFKA_BROKERS.join(),
    KAFKA_PREFIX: config.KAFKA_PREFIX,
  };
  return killWhenItSays('handled', { file: join(here, 'killed-consumer.ts'), args: [url], env });
}

describe('a broker that only this suite uses', () => {
  let folder: string | undefined;
  let kafka: Awaited<ReturnType<typeof startKafka>> | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pulso-kafka-'));
    kafka = await startKafka(folder);
  });
  afterAll(async () => {
    await kafka?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('loses no acknowledged event when it is stopped or killed and started again', async () => {
    const broker = kafka!;
    const config = kafkaConfig(broker.brokers);
    await createTopics({ config, logger, table: testTopics(3) });
    const recorder = new Recorder('posts');
    const bus = new KafkaBus({ config, logger, limits: SOON_DEAD });
    onTestEnd(() => bus.stop());
    bus.subscribe(recorder);
    await bus.start();
    const relay = relaying(bus);
    onTestEnd(() => relay.end());
    await relay.acknowledgedInAll(100);
    for (const end of ['stop', 'kill'] as const) {
      const { failures } = relay;
      await broker[end]();
      await until(() => relay.failures > failures, { what: 'a publication that fails without the broker' });
      await broker.start();
      await relay.acknowledgedInAll(relay.acknowledged.length + 100);
    }
    await relay.end();
    await drainEvents({ relays: [], bus, timeoutMs: 150_000 });
    const handled = new Set(recorder.handled);
    expect(relay.acknowledged.filter((id) => !handled.has(`${id}@1`))).toEqual([]);

    // A bus stops also when its broker is gone.
    await broker.kill();
    await bus.stop();
  }, 300_000);
});

/** Publishes without a pause, and retries failed events until they succeed, like the outbox's relay. */
function relaying(bus: KafkaBus) {
  const acknowledged: string[] = [];
  let running = true;
  let failures = 0;
  const ended = (async () => {
    for (let next = 0; running;) {
      const batch = Array.from({ length: 5 }, (_, index) => `post-${next + index}`);
      try {
        await bus.publish(batch.map((id) => postEvent(id)));
        acknowledged.push(...batch);
        next += 5;
      } catch {
        failures += 1;
      }
    }
  })();
  return {
    acknowledged,
    get failures() {
      return failures;
    },
    async acknowledgedInAll(count: number) {
      const enough = () => acknowledged.length >= count;
      await until(enough, { what: `${count} acknowledged events`, limit: 100_000 });
    },
    async end() {
      running = false;
      await ended;
    },
  };
}
