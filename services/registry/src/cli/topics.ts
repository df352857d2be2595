import { TOPICS } from '@pulso/contracts/topics/all';
import { runCommands } from '@pulso/platform/command-line/run-commands';
import { loadConfig } from '@pulso/platform/config/load-config';
import { createTopics } from '@pulso/platform/events/kafka/create-topics';
import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { topicPlan } from '@pulso/platform/events/kafka/topic-table';
import { createLogger } from '@pulso/platform/logging/logger';

// The operator's command line of the topics; reads Kafka's settings. Run it before a version's services.
await runCommands('topics', {
  create: {
    summary: 'makes all topics what this version’s contracts say; safe to repeat, removes nothing',
    async run(_input, env) {
      const config = loadConfig(kafkaConfigSchema, env);
      const logger = createLogger({ service: 'topics', level: 'error' });
      const { changes, short } = await createTopics({ config, logger, table: TOPICS.map(topicPlan) });
      for (const line of short) process.stderr.write(`topics: ${line}\n`);
      if (short.length > 0) process.exitCode = 1;
      return changes.length + short.length > 0 ? changes : ['All topics are as they should be.'];
    },
  },
});
