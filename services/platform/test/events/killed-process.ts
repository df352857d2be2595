import { postTopic } from '@pulso/contracts/topics/posts';
import { openSystem } from './one-post.js';
import { aPost } from './recorder.js';
import { stageEvent } from '../stage-event.js';

// Arguments: database URL, the step to stop at. Commits one post, reports when the step is reached, waits to be killed.
const [url, stopAt] = process.argv.slice(2);
const system = await openSystem(url!, async (step) => {
  if (step === stopAt) {
    process.stdout.write(`${step}\n`);
    await new Promise(() => undefined);
  }
});
await system.dataSource.transaction((manager) =>
  stageEvent(manager, postTopic, aPost({ id: 'post', version: 3 })),
);
system.relay.nudge();
