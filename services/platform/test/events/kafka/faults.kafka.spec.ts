import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startKafka } from '../../../../../tools/engines/kafka.mjs';
import { drainEvents } from '../../../src/events/drain-events.js';
import { createTopics } from '../../../src/events/kafka/create-topics.js';
import { KafkaBus } from '../../../src/events/kafka/kafka-bus.js';
import { postEvent, Recorder } from '../recorder.js';
import { postgresDatabase } from '../stores.js';
import { countingProjection } from './counting-projection.js';
import { kafkaConfig, logger, openKafkaHouse, testTopics } from './kafka-house.js';

const here = dirname(fileURLToPath(import.meta.url));
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `post-${from + index}`);

describe('a consumer killed between effect and commit', () => {
  it('has its events handled by the next one, none of them skipped', async () => {
    const house = await openKafkaHouse(1);
    const database = await postgresDatabase();
    await database.pool.query('CREATE TABLE projection (id text PRIMARY KEY, handled int)');
    const publisher = await house.bus([]);
    await publisher.publish(['first', 'last'].map((id) => postEvent(id)));
    await killOnceHandled(database.url, house.config);
    await publisher.publish([postEvent('later')]);

    const bus = new KafkaBus({ config: house.config, logger });
    bus.subscribe(countingProjection(database.pool));
    await bus.start();
    await drainEvents({ relays: [], bus, timeoutMs: 50_000 });
    await bus.stop();
    const { rows } = await database.pool.query('SELECT * FROM projection ORDER BY id');
    // One partition, one commit: `first` went with the batch of `last`.
    expect(rows).toEqual([
      { id: 'first', handled: 2 },
      { id: 'last', handled: 2 },
      { id: 'later', handled: 1 },
    ]);
    await database.drop();
    await house.close();
  }, 90_000);
});

async function killOnceHandled(
  url: string,
  config: { KAFKA_BROKERS: string[]; KAFKA_PREFIX: string },
): Promise<void> {
  const loader = join(here, '..', 'typescript-loader.mjs');
  const args = ['--conditions=source', '--import', loader, join(here, 'killed-consumer.ts'), url];
  const env = {
    ...process.env,
    KAFKA_BROKERS: config.KAFKA_BROKERS.join(),
    KAFKA_PREFIX: config.KAFKA_PREFIX,
  };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const exited = once(child, 'exit');
  try {
    const said = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)]);
    if (!said) throw new Error(`The process ended before its handler did: ${complaint}`);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

describe('a broker of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-kafka-'));
  let kafka: Awaited<ReturnType<typeof startKafka>>;
  beforeAll(async () => void (kafka = await startKafka(folder)), 120_000);
  afterAll(async () => {
    await kafka.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['stop', 'kill'] as const)(
    'that %ss and comes back loses nothing of what was acknowledged',
    async (end) => {
      const config = kafkaConfig(kafka.brokers);
      await createTopics({ config, logger, table: testTopics(3) });
      const recorder = new Recorder('posts');
      const bus = new KafkaBus({ config, logger });
      bus.subscribe(recorder);
      await bus.start();
      const acknowledged: string[] = [];
      let running = true;
      const relaying = (async () => {
        for (let next = 0; running;) {
          const batch = names(next, next + 5);
          try {
            await bus.publish(batch.map((id) => postEvent(id)));
            acknowledged.push(...batch);
            next += 5;
          } catch {
            // As the outbox's relay does: the same again, later.
            await delay(50);
          }
          await delay(5);
        }
      })();
      const reached = async (count: number) => {
        while (acknowledged.length < count) await delay(10);
      };
      await reached(100);
      for (let round = 0; round < 2; round += 1) {
        await kafka[end]();
        await delay(1_000);
        await kafka.start();
        await reached(acknowledged.length + 100);
      }
      running = false;
      await relaying;
      await drainEvents({ relays: [], bus, timeoutMs: 50_000 });
      await bus.stop();
      const handled = new Set(recorder.handled);
      expect(acknowledged.filter((id) => !handled.has(`${id}@1`))).toEqual([]);
    },
    150_000,
  );
});
