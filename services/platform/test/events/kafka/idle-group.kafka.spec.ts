import type { ConsumerConfig, RequestEvent } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import { postTopic } from '@pulso/contracts/topics/posts';
import { BusMetrics } from '../../../src/events/bus-metrics.js';
import { ConsumerGroup, GROUP_LIMITS } from '../../../src/events/kafka/consumer-group.js';
import { createTopics } from '../../../src/events/kafka/create-topics.js';
import { createKafka } from '../../../src/events/kafka/kafka-client.js';
import { systemClock } from '../../../src/time/clock.js';
import { onTestEnd } from '../../../testing/on-test-end.js';
import { until } from '../../../testing/until.js';
import { QUICK } from '../bus-fixture.js';
import { Recorder } from '../recorder.js';
import { kafkaConfig, logger, removeTopics, testTopics } from './kafka-fixture.js';

const SECONDS = 3;

describe('a group without events', () => {
  it('asks the brokers twice a second at most: for events, and with a heartbeat', async () => {
    const config = kafkaConfig();
    onTestEnd(() => removeTopics(config));
    await createTopics({ config, logger, table: testTopics(2) });
    const real = createKafka(config, logger);
    const asked: string[] = [];
    const kafka = {
      consumer: (options: ConsumerConfig) => {
        const consumer = real.consumer(options);
        consumer.on(consumer.events.REQUEST, ({ payload }: RequestEvent) => void asked.push(payload.apiName));
        return consumer;
      },
    };
    const name = (topic: string) => config.KAFKA_PREFIX + topic;
    const group = new ConsumerGroup({
      ...{ kafka, group: 'idle', groupId: name('idle'), idOf: name, concurrency: 16, retry: QUICK, logger },
      admin: { failures: async () => new Map(), positions: async () => [] },
      consumers: new Map([[name(postTopic.name), new Recorder('idle')]]),
      deadLetters: { deadLetter: () => Promise.resolve() },
      metrics: new BusMetrics(),
      clock: systemClock,
      limits: GROUP_LIMITS,
    });
    await group.start();
    onTestEnd(() => group.stop());
    await until(() => asked.includes('Fetch'), { what: 'the first fetch' });
    asked.length = 0;
    await delay(SECONDS * 1_000);
    expect(new Set(asked)).toEqual(new Set(['Fetch', 'Heartbeat']));
    // One of each may have begun before.
    expect(asked.length).toBeLessThanOrEqual(2 * (SECONDS + 1));
  });
});
