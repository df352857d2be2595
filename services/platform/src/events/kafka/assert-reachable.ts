import type { Logger } from 'pino';
import { createKafka, reachingKafka } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';

/** Rejects with a StartError when no broker can be used: before anything that takes long is begun. */
export async function assertKafkaReachable(config: KafkaConfig, logger: Logger): Promise<void> {
  const admin = createKafka(config, logger).admin();
  await reachingKafka(config, () => admin.connect());
  await admin.disconnect();
}
