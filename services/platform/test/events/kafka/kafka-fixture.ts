import type { Admin } from 'kafkajs';
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../../src/process/load-config.js';
import { createTopics } from '../../../src/events/kafka/create-topics.js';
import { KafkaBus, type KafkaBusOptions } from '../../../src/events/kafka/kafka-bus.js';
import { createKafka } from '../../../src/events/kafka/kafka-client.js';
import { type KafkaConfig, kafkaConfigSchema } from '../../../src/events/kafka/kafka-config.js';
import type { TopicPlan } from '../../../src/events/kafka/topic-table.js';
import { commentTopic, postTopic } from '@pulso/contracts/topics/posts';
import { onTestEnd } from '../../../testing/on-test-end.js';
import type { BusFixture } from '../bus-fixture.js';
import { logger } from './logger.js';
import { memoryStartPoints, type Recorder } from '../recorder.js';

export { logger };

/** A configuration with names that no other suite uses, on the given broker or that of the tests. */
export function kafkaConfig(brokers = process.env.PULSO_TEST_KAFKA_BROKERS): KafkaConfig {
  const prefix = `test-${randomBytes(6).toString('hex')}.`;
  return loadConfig(kafkaConfigSchema, { KAFKA_BROKERS: brokers, KAFKA_PREFIX: prefix });
}

export const testTopics = (partitions: number): TopicPlan[] =>
  [postTopic, commentTopic].map(({ name }) => ({ name, partitions, retentionMs: 3_600_000 }));

/** Runs the work with a connected admin client. */
export async function asAdmin<T>(config: KafkaConfig, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = createKafka(config, logger).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

export function removeTopics(config: KafkaConfig): Promise<void> {
  return asAdmin(config, async (admin) => {
    const mine = (await admin.listTopics()).filter((topic) => topic.startsWith(config.KAFKA_PREFIX));
    await admin.deleteTopics({ topics: mine });
  });
}

/** A fixture whose topics have this number of partitions; with one, all events are ordered, as some tests need. */
export async function openKafkaHouse(
  partitions: number,
  options: Partial<KafkaBusOptions> = {},
): Promise<
  BusFixture & { bus(...args: Parameters<BusFixture['bus']>): Promise<KafkaBus>; config: KafkaConfig }
> {
  const config = kafkaConfig();
  const buses: KafkaBus[] = [];
  onTestEnd(
    () => removeTopics(config),
    () => Promise.all(buses.map((bus) => bus.stop())),
  );
  await createTopics({ config, logger, table: testTopics(partitions) });
  const starts = memoryStartPoints();
  return {
    config,
    async bus(consumers: Recorder[], retry, clock) {
      const bus = new KafkaBus({ config, logger, retry, clock, ...options });
      for (const consumer of consumers) {
        consumer.keepStart ??= (offsets) =>
          starts.keep(consumer.group, consumer.topic.name, offsets, consumer.formerGroups);
        bus.subscribe(consumer);
      }
      buses.push(bus);
      await bus.start();
      return bus;
    },
  };
}
