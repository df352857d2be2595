import { loadConfig } from '@pulso/platform/process/load-config';
import { KafkaBus } from '@pulso/platform/events/kafka/kafka-bus';
import { createKafka } from '@pulso/platform/events/kafka/kafka-client';
import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { TOPICS } from '@pulso/contracts/topics/all';
import { createLogger } from '@pulso/platform/logging/logger';
import { until } from '@pulso/platform/testing/until';
import { metricOf, samplesOf } from './operations.js';
import { waitFor } from './wait-for.js';

/** A broker, and how the names of a cluster's topics and groups begin there. */
export interface KafkaNames {
  brokers: string;
  prefix: string;
}

const configOf = ({ brokers, prefix }: KafkaNames) =>
  loadConfig(kafkaConfigSchema, { KAFKA_BROKERS: brokers, KAFKA_PREFIX: prefix });
const logger = createLogger({ service: 'journey', level: 'silent' });

/** A client that is not connected yet, and logs nothing. */
export const kafkaClient = (kafka: KafkaNames) => createKafka(configOf(kafka), logger);

/** Removes the topics of a cluster that has stopped. */
export async function removeTopics(kafka: KafkaNames): Promise<void> {
  const admin = kafkaClient(kafka).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((name) => name.startsWith(kafka.prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}

/** A bus of the test that publishes, and watches the services' consumer groups without joining them. */
export async function watchEvents(kafka: KafkaNames, operationsUrls: readonly string[]): Promise<KafkaBus> {
  const subscriptions = await Promise.all(operationsUrls.map(subscriptionsOf));
  const bus = new KafkaBus({ config: configOf(kafka), logger });
  const byName = new Map(TOPICS.map((topic) => [topic.name, topic]));
  const known = new Set<string>();
  for (const { group, topic } of subscriptions.flat()) {
    if (known.has(`${group} ${topic}`)) continue;
    known.add(`${group} ${topic}`);
    bus.subscribe({
      group,
      topic: byName.get(topic)!,
      handle: () => Promise.reject(new Error('Only watches')),
    });
  }
  return bus;
}

/** The consumer groups and topics of a service's process, from the lag metric that each of them exports. */
async function subscriptionsOf(operationsUrl: string) {
  const samples = await waitFor(
    () => samplesOf(operationsUrl, 'pulso_events_pending'),
    (shown) => shown.length > 0,
    { what: `the subscriptions of ${operationsUrl}` },
  );
  return samples.map(({ labels }) => ({ group: labels.group!, topic: labels.topic! }));
}

/**
 * Resolves when the services' outboxes are empty and their consumers have no lag, twice in a row: the consumer of an
 * event delivered during the first check may have written another one.
 */
export async function drainCluster(
  bus: KafkaBus,
  operationsUrls: readonly string[],
  timeoutMs: number,
): Promise<void> {
  let quiet = 0;
  let left = '';
  const isQuiet = async () => {
    const unpublished = await metricOf(operationsUrls, 'pulso_outbox_depth');
    const undelivered = await bus.pending();
    left = `${undelivered} deliveries and ${unpublished} unpublished states left`;
    quiet = unpublished === 0 && undelivered === 0 ? quiet + 1 : 0;
    return quiet === 2;
  };
  await until(isQuiet, { what: () => `empty outboxes and no lag, with ${left}`, limit: timeoutMs });
}
