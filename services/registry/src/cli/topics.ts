import { runCommands } from '@pulso/platform/command-line/run-commands';
import { createAllTopics } from '../create-all-topics.js';

// The operators' command line for topics; reads Kafka's settings. Run it before starting the services of a new
// version.
await runCommands('topics', {
  create: {
    summary:
      'creates and updates all topics as this version’s contracts require, and gives renamed consumer groups their position; safe to repeat, removes nothing',
    async run(_input, env) {
      const { changes, short } = await createAllTopics(env);
      for (const line of short) process.stderr.write(`topics: ${line}\n`);
      if (short.length > 0) process.exitCode = 1;
      return changes.length + short.length > 0 ? changes : ['All topics are up to date.'];
    },
  },
});
