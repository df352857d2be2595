import { TOPICS } from '@pulso/contracts/topics/all';
import { loadConfig } from '@pulso/platform/process/load-config';
import { copyFormerOffsets } from '@pulso/platform/events/kafka/copy-former-offsets';
import { createTopics } from '@pulso/platform/events/kafka/create-topics';
import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { topicPlan } from '@pulso/platform/events/kafka/topic-table';
import { createLogger } from '@pulso/platform/logging/logger';
import { renamedGroups } from '@pulso/platform/service/former-groups';
import { SERVICES } from './services.js';

/**
 * Creates and updates all topics on the brokers that `KAFKA_*` of `env` name, and gives consumer groups that this version has
 * renamed their positions. Throws ConfigError; see `createTopics` and `copyFormerOffsets`.
 */
export async function createAllTopics(env: NodeJS.ProcessEnv): ReturnType<typeof createTopics> {
  const common = {
    config: loadConfig(kafkaConfigSchema, env),
    logger: createLogger({ service: 'topics', level: 'error' }),
  };
  const { changes, short } = await createTopics({ ...common, table: TOPICS.map(topicPlan) });
  const copied = await copyFormerOffsets({ ...common, renamed: renamedGroups(Object.values(SERVICES)) });
  return { changes: [...changes, ...copied], short };
}
