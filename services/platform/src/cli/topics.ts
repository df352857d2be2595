import { loadConfig } from '../config/load-config.js';
import { createTopics } from '../events/kafka/create-topics.js';
import { kafkaConfigSchema } from '../events/kafka/kafka-config.js';
import { createLogger } from '../logging/logger.js';
import { runCommands, UsageError } from '../process/run-commands.js';

// The operator's command line of the topics; reads Kafka's settings. Run it before a version's services.
await runCommands('topics', {
  create: {
    summary: 'makes all topics what this version’s table says; safe to repeat, removes nothing',
    async run(operands, env) {
      if (operands.length > 0) throw new UsageError(`Not understood: ${operands.join(' ')}`);
      const config = loadConfig(kafkaConfigSchema, env);
      const logger = createLogger({ service: 'topics', level: 'error' });
      const { changes, short } = await createTopics({ config, logger });
      for (const line of short) process.stderr.write(`topics: ${line}\n`);
      if (short.length > 0) process.exitCode = 1;
      return changes.length + short.length > 0 ? changes : ['All topics are as they should be.'];
    },
  },
});
