import { openCharges, type Step } from './charges.js';

/** What a process does, and where it stops. */
export type Deed = 'run' | 'enqueue' | 'recover';
export type KilledAt = Step | 'answered' | 'enqueued' | 'committed';

// Arguments: database, foreign system, what to do with order-1, and the step at which it says so and waits.
const [url, foreignUrl, deed, stopAt] = process.argv.slice(2);
const reached = async (step: KilledAt) => {
  if (step !== stopAt) return;
  process.stdout.write(`${step}\n`);
  await new Promise(() => undefined);
};
// A timer, since nothing else keeps a process alive that waits.
setInterval(() => undefined, 60_000);
const { calls, run, writes, kindNamed } = await openCharges(url!, foreignUrl!, { reached });
const [id, charge] = [
  { caller: 'user:ana', key: 'order-1' },
  { order: 'order-1', amount: 5 },
];
if (deed === 'run') {
  await run(id, charge);
  await reached('answered');
}
if (deed === 'recover') await calls.recover();
if (deed === 'enqueue') {
  await writes.run(async (transaction) => {
    await kindNamed('charge').enqueue(transaction, id, charge);
    await reached('enqueued');
  });
  await reached('committed');
}
