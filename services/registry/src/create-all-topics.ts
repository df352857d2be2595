import { TOPICS } from '@pulso/contracts/topics/all';
import { loadConfig } from '@pulso/platform/process/load-config';
import { copyFormerOffsets } from '@pulso/platform/events/kafka/copy-former-offsets';
import { createTopics } from '@pulso/platform/events/kafka/create-topics';
import { grantRights, type KafkaUse } from '@pulso/platform/events/kafka/grant-rights';
import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { topicPlan } from '@pulso/platform/events/kafka/topic-table';
import { createLogger } from '@pulso/platform/logging/logger';
import { renamedGroups } from '@pulso/platform/service/former-groups';
import { SERVICES } from './services.js';

/** What each service does on the brokers, as its declaration says. */
export const KAFKA_USES: readonly KafkaUse[] = Object.values(SERVICES).map((definition) => {
  const { name, owns, consumes } = definition;
  return {
    name,
    publishes: owns.map((topic) => topic.name),
    consumes: consumes.map((topic) => topic.name),
    formerGroups: [...new Set(renamedGroups([definition]).flatMap(({ formerGroups }) => formerGroups))],
  };
});

/**
 * Creates and updates all topics on the brokers that `KAFKA_*` of `env` name, and gives consumer groups that this version has
 * renamed their positions; with `rights` also the users of the services their rights. Throws ConfigError; see `createTopics`,
 * `copyFormerOffsets` and `grantRights`.
 */
export async function createAllTopics(
  env: NodeJS.ProcessEnv,
  { rights = false } = {},
): ReturnType<typeof createTopics> {
  const common = {
    config: loadConfig(kafkaConfigSchema, env),
    logger: createLogger({ service: 'topics', level: 'error' }),
  };
  const { changes, short } = await createTopics({ ...common, table: TOPICS.map(topicPlan) });
  const copied = await copyFormerOffsets({ ...common, renamed: renamedGroups(Object.values(SERVICES)) });
  const granted = rights ? await grantRights({ ...common, uses: KAFKA_USES }) : [];
  return { changes: [...changes, ...copied, ...granted], short };
}
