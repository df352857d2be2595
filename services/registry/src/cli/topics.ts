import { TOPICS } from '@pulso/contracts/topics/all';
import { runCommands } from '@pulso/platform/command-line/run-commands';
import { loadConfig } from '@pulso/platform/config/load-config';
import { createTopics } from '@pulso/platform/events/kafka/create-topics';
import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { topicPlan } from '@pulso/platform/events/kafka/topic-table';
import { createLogger } from '@pulso/platform/logging/logger';

// The operators' command line for topics; reads Kafka's settings. Run it before starting the services of a new
// version.
await runCommands('topics', {
  create: {
    summary:
      'creates and updates all topics as this version’s contracts require; safe to repeat, removes nothing',
    async run(_input, env) {
      const config = loadConfig(kafkaConfigSchema, env);
      const logger = createLogger({ service: 'topics', level: 'error' });
      const { changes, short } = await createTopics({ config, logger, table: TOPICS.map(topicPlan) });
      for (const line of short) process.stderr.write(`topics: ${line}\n`);
      if (short.length > 0) process.exitCode = 1;
      return changes.length + short.length > 0 ? changes : ['All topics are up to date.'];
    },
  },
});
