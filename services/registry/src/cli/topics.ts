import { runCommands } from '@pulso/platform/command-line/run-commands';
import { createAllTopics } from '../create-all-topics.js';

// The operators' command line for topics; reads Kafka's settings. Run it before starting the services of a new
// version.
await runCommands('topics', {
  create: {
    options: { rights: { type: 'boolean' } },
    summary:
      'creates and updates all topics as this version’s contracts require, and gives renamed consumer groups their position; --rights also gives the user of each service, called like it, the rights that it needs on the brokers; safe to repeat, removes nothing',
    async run({ options }, env) {
      const { changes, short } = await createAllTopics(env, { rights: options.rights === true });
      for (const line of short) process.stderr.write(`topics: ${line}\n`);
      if (short.length > 0) process.exitCode = 1;
      return changes.length + short.length > 0 ? changes : ['All topics are up to date.'];
    },
  },
});
