import { TOPICS } from '@pulso/contracts/topics/all';
import { loadConfig } from '@pulso/platform/config/load-config';
import { createTopics } from '@pulso/platform/events/kafka/create-topics';
import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { topicPlan } from '@pulso/platform/events/kafka/topic-table';
import { createLogger } from '@pulso/platform/logging/logger';

/** Creates and updates all topics on the brokers that `KAFKA_*` of `env` name. Throws ConfigError; see `createTopics`. */
export const createAllTopics = (env: NodeJS.ProcessEnv): ReturnType<typeof createTopics> =>
  createTopics({
    config: loadConfig(kafkaConfigSchema, env),
    logger: createLogger({ service: 'topics', level: 'error' }),
    table: TOPICS.map(topicPlan),
  });
