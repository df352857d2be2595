import kafkajs, {
  type Admin,
  type DescribeConfigResponse,
  type IResourceConfigEntry,
  type ITopicConfig,
} from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { StartError } from '../../process/start-error.js';
import { assertKafkaReachable } from './assert-reachable.js';
import { createKafka, reachingKafka } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';
import { deadLetterPlan, type TopicPlan } from './topic-table.js';

// kafkajs is CommonJS, and Node does not detect these as named exports.
const { ConfigResourceTypes, ConfigSource, KafkaJSAggregateError } = kafkajs;

type Setting = IResourceConfigEntry;

const SERVED_MS = 30_000;
const RECORD_BYTES = 'max.message.bytes';

/**
 * Brings the topics and their dead letter topics to the state of the topic table: creates missing topics, adds
 * partitions, sets retention. Never removes a topic or a partition, never changes the number of copies, and keeps other
 * settings that operators have made. Safe to repeat and to run several times at once. Rejects with a StartError if no
 * broker can be used or there are fewer brokers than KAFKA_REPLICATION_FACTOR.
 */
export async function createTopics(options: {
  config: KafkaConfig;
  logger: Logger;
  table: readonly TopicPlan[];
}): Promise<{
  /** One line per change. */
  changes: string[];
  /** Topics with fewer copies than KAFKA_REPLICATION_FACTOR: one line per number of copies, which says what to do. */
  short: string[];
}> {
  const { config, logger, table } = options;
  await assertKafkaReachable(config, logger);
  const admin = createKafka(config, logger).admin();
  await reachingKafka(config, () => admin.connect());
  try {
    const plans = table
      .flatMap((plan) => [plan, deadLetterPlan(plan)])
      .map((plan) => ({ ...plan, name: config.KAFKA_PREFIX + plan.name }));
    const present = new Set(await admin.listTopics());
    const [old, missing] = [
      plans.filter(({ name }) => present.has(name)),
      plans.filter(({ name }) => !present.has(name)),
    ];
    await createMissing(admin, missing, config.KAFKA_REPLICATION_FACTOR);
    const names = plans.map(({ name }) => name);
    await untilServed(admin, names);
    const changes = [
      ...missing.map(({ name, partitions }) => `created ${name} with ${partitions} partitions`),
      ...(await addPartitions(admin, old)),
      ...(await adjustSettings(admin, old)),
    ];
    return { changes, short: await shortOfCopies(admin, names, config.KAFKA_REPLICATION_FACTOR) };
  } finally {
    await admin.disconnect();
  }
}

/** One line for each number of copies below KAFKA_REPLICATION_FACTOR, with the topics and what to do. */
async function shortOfCopies(admin: Admin, names: string[], wanted: number): Promise<string[]> {
  const copies = await copiesOf(admin, names);
  const counts = [...new Set(copies.values())].filter((count) => count < wanted);
  return counts.map((count) => {
    const short = [...copies].filter(([, number]) => number === count).map(([name]) => name);
    return (
      `KAFKA_REPLICATION_FACTOR: is ${wanted}, but of these topics there ${count === 1 ? 'is 1 copy' : `are ${count} copies`}: ` +
      `${short.sort().join(', ')}. Add copies by Kafka's own kafka-reassign-partitions, then run this again.`
    );
  });
}

/** The smallest number of copies of any partition, by topic. */
async function copiesOf(admin: Admin, names: string[]): Promise<Map<string, number>> {
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  return new Map(
    topics.map(({ name, partitions }) => [
      name,
      Math.min(...partitions.map(({ replicas }) => replicas.length)),
    ]),
  );
}

async function createMissing(
  admin: Admin,
  plans: readonly TopicPlan[],
  replicationFactor: number,
): Promise<void> {
  const topics = plans.map((plan): ITopicConfig => {
    return {
      topic: plan.name,
      numPartitions: plan.partitions,
      replicationFactor,
      configEntries: settingsOf(plan, replicationFactor),
    };
  });
  if (topics.length === 0) return;
  try {
    await admin.createTopics({ topics, waitForLeaders: false });
  } catch (error) {
    const types = error instanceof KafkaJSAggregateError ? error.errors.map(typeOf) : [typeOf(error)];
    if (types.includes('INVALID_REPLICATION_FACTOR')) {
      const reason = `KAFKA_REPLICATION_FACTOR: there are fewer than ${replicationFactor} brokers`;
      throw new StartError(reason, { cause: error });
    }
    // Another run at the same time may have created some of the topics.
    if (types.some((type) => type !== 'TOPIC_ALREADY_EXISTS')) throw error;
  }
}

/** Waits until the brokers serve the new topics; kafkajs's own wait rejects if a broker does not know a topic yet. */
async function untilServed(admin: Admin, names: readonly string[]): Promise<void> {
  for (const deadline = performance.now() + SERVED_MS; ; await delay(50)) {
    try {
      await admin.fetchTopicMetadata({ topics: [...names] });
      return;
    } catch (error) {
      const soon = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'].includes(typeOf(error) ?? '');
      if (!soon || performance.now() > deadline) throw error;
    }
  }
}

async function addPartitions(admin: Admin, plans: readonly TopicPlan[]): Promise<string[]> {
  if (plans.length === 0) return [];
  const { topics } = await admin.fetchTopicMetadata({ topics: plans.map(({ name }) => name) });
  const counts = new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
  const short = plans.filter(({ name, partitions }) => counts.get(name)! < partitions);
  if (short.length === 0) return [];
  await admin.createPartitions({
    topicPartitions: short.map(({ name, partitions }) => ({ topic: name, count: partitions })),
  });
  return short.map(({ name, partitions }) => `${name}: ${counts.get(name)} partitions became ${partitions}`);
}

async function adjustSettings(admin: Admin, plans: readonly TopicPlan[]): Promise<string[]> {
  if (plans.length === 0) return [];
  const copies = await copiesOf(
    admin,
    plans.map(({ name }) => name),
  );
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: plans.map(({ name }) => ({ type: ConfigResourceTypes.TOPIC, name })),
  });
  const changes = resources.flatMap((resource) => {
    const plan = plans.find(({ name }) => name === resource.resourceName)!;
    const wanted = settingsOf(plan, copies.get(plan.name)!);
    const differing = wanted.filter((setting) => !isMet(setting, valueOf(resource, setting.name)));
    return differing.length > 0 ? [{ plan, resource, differing }] : [];
  });
  if (changes.length === 0) return [];
  await admin.alterConfigs({
    validateOnly: false,
    resources: changes.map(({ plan, resource, differing }) => {
      const names = new Set(differing.map(({ name }) => name));
      // The request replaces all settings of the topic.
      const kept = setOn(resource).filter(({ name }) => !names.has(name));
      return { type: ConfigResourceTypes.TOPIC, name: plan.name, configEntries: [...kept, ...differing] };
    }),
  });
  return changes.map(({ plan, differing }) => {
    return `${plan.name}: ${differing.map(({ name, value }) => `${name} is ${value} now`).join(', ')}`;
  });
}

/** Operators may let a topic take larger records than it must. */
const isMet = ({ name, value }: Setting, present: string | undefined) =>
  present === value || (name === RECORD_BYTES && Number(present) >= Number(value));

type DescribedTopic = DescribeConfigResponse['resources'][number];

const valueOf = ({ configEntries }: DescribedTopic, name: string) =>
  configEntries.find(({ configName }) => configName === name)?.configValue;

function setOn({ configEntries }: DescribedTopic): Setting[] {
  return configEntries
    .filter(({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG)
    .map(({ configName, configValue }) => ({ name: configName, value: configValue }));
}

/**
 * `copies` is the actual number of copies, not the wanted one: with a higher `min.insync.replicas` nothing can be written.
 */
function settingsOf({ retentionMs, recordBytes }: TopicPlan, copies: number): Setting[] {
  return [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: `${retentionMs}` },
    // With at least 3 copies, an acknowledged event survives the loss of a broker.
    { name: 'min.insync.replicas', value: copies > 2 ? '2' : '1' },
    ...(recordBytes === undefined ? [] : [{ name: RECORD_BYTES, value: `${recordBytes}` }]),
  ];
}

/** Kafka's name of the error, also if kafkajs has wrapped it after its last retry. */
export function typeOf(error: unknown): string | undefined {
  const { type, cause } = error as { type?: string; cause?: { type?: string } };
  return type ?? cause?.type;
}
