import { ConfigResourceTypes } from 'kafkajs';
import { StartError } from '../../../src/process/start-error.js';
import { createTopics } from '../../../src/events/kafka/create-topics.js';
import { KafkaBus } from '../../../src/events/kafka/kafka-bus.js';
import { createKafka } from '../../../src/events/kafka/kafka-client.js';
import type { KafkaConfig } from '../../../src/events/kafka/kafka-config.js';
import type { TopicPlan } from '../../../src/events/kafka/topic-table.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import { onTestEnd } from '../../../testing/on-test-end.js';
import { until } from '../../../testing/until.js';
import { Recorder } from '../recorder.js';
import { kafkaConfig, logger, removeTopics } from './kafka-fixture.js';

const DAY_MS = 86_400_000;

type Described = Record<string, string | number>;

describe('createTopics', () => {
  let config: KafkaConfig;
  let admin: ReturnType<ReturnType<typeof createKafka>['admin']>;
  beforeEach(async () => {
    config = kafkaConfig();
    admin = createKafka(config, logger).admin();
    onTestEnd(
      () => removeTopics(config),
      () => admin.disconnect(),
    );
    await admin.connect();
  });

  const table = (plan: Partial<TopicPlan> = {}): TopicPlan[] => [
    { name: 'fruit.v1', partitions: 3, retentionMs: 7 * DAY_MS, ...plan },
  ];
  const create = async (plans: TopicPlan[]) => (await createTopics({ config, logger, table: plans })).changes;

  async function described(name: string): Promise<Described> {
    const topic = config.KAFKA_PREFIX + name;
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
    });
    const settings = resources[0]!.configEntries.map(({ configName, configValue }) => [
      configName,
      configValue,
    ]);
    return { partitions: topics[0]!.partitions.length, ...Object.fromEntries(settings) } as Described;
  }

  /** Brokers show a change a little after they have confirmed it. */
  async function becomes(name: string, expected: Described): Promise<void> {
    let topic: Described | undefined;
    const isSo = async () => {
      topic = await described(name);
      return Object.entries(expected).every(([setting, value]) => topic?.[setting] === value);
    };
    const what = () => `${name} to be ${JSON.stringify(expected)}, not ${JSON.stringify(topic)}`;
    await until(isSo, { what });
  }

  it('creates missing topics, each with its dead letter topic, and changes nothing when repeated', async () => {
    const lines = await create(table());
    expect(lines).toEqual([
      `created ${config.KAFKA_PREFIX}fruit.v1 with 3 partitions`,
      `created ${config.KAFKA_PREFIX}fruit.v1.dlq with 1 partitions`,
    ]);
    await becomes('fruit.v1', {
      partitions: 3,
      'cleanup.policy': 'delete',
      'retention.ms': `${7 * DAY_MS}`,
    });
    await becomes('fruit.v1.dlq', { partitions: 1 });
    expect(await create(table())).toEqual([]);
  });

  it('may run several times at once', async () => {
    await Promise.all([create(table()), create(table()), create(table())]);
    await becomes('fruit.v1', { partitions: 3 });
  });

  it('adds partitions, never removes any, and sets retention', async () => {
    await create(table());
    const name = `${config.KAFKA_PREFIX}fruit.v1`;
    expect(await create(table({ partitions: 5, retentionMs: DAY_MS }))).toEqual([
      `${name}: 3 partitions became 5`,
      `${name}: retention.ms is ${DAY_MS} now`,
    ]);
    await becomes('fruit.v1', { partitions: 5, 'retention.ms': `${DAY_MS}` });
    expect(await create(table({ partitions: 2, retentionMs: DAY_MS }))).toEqual([]);
    expect(await described('fruit.v1')).toMatchObject({ partitions: 5 });
  });

  it('keeps other settings of operators', async () => {
    await create(table());
    const topic = `${config.KAFKA_PREFIX}fruit.v1`;
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: ConfigResourceTypes.TOPIC,
          name: topic,
          configEntries: [
            { name: 'retention.ms', value: '1000' },
            { name: 'segment.ms', value: '60000' },
          ],
        },
      ],
    });
    await becomes('fruit.v1', { 'retention.ms': '1000', 'segment.ms': '60000' });
    await create(table());
    await becomes('fruit.v1', { 'retention.ms': `${7 * DAY_MS}`, 'segment.ms': '60000' });
  });

  it('names the setting if there are too few brokers', async () => {
    const creating = createTopics({
      config: { ...config, KAFKA_REPLICATION_FACTOR: 30 },
      logger,
      table: table(),
    });
    await expect(creating).rejects.toThrow(StartError);
    await expect(creating).rejects.toThrow('KAFKA_REPLICATION_FACTOR: there are fewer than 30 brokers');
  });

  it('reports topics with too few copies, and sets min.insync.replicas by the actual number', async () => {
    await create(table());
    const options = { config: { ...config, KAFKA_REPLICATION_FACTOR: 3 }, logger, table: table() };
    const name = `${config.KAFKA_PREFIX}fruit.v1`;
    expect(await createTopics(options)).toEqual({
      changes: [],
      short: [
        expect.stringMatching(`KAFKA_REPLICATION_FACTOR: is 3, .*1 copy: ${name}, ${name}.dlq\\. Add copies`),
      ],
    });
    expect(await described('fruit.v1')).toMatchObject({ 'min.insync.replicas': '1' });
    expect(await createTopics({ ...options, config })).toEqual({ changes: [], short: [] });
  });

  it('must run before a bus that consumes', async () => {
    const bus = new KafkaBus({ config, logger });
    onTestEnd(() => bus.stop());
    bus.subscribe(new Recorder('posts'));
    await expect(bus.start()).rejects.toThrow(`${config.KAFKA_PREFIX}${postTopic.name}`);
  });
});
