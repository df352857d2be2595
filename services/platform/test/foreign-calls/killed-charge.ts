import { systemClock } from '../../src/time/clock.js';
import { openCharges } from './charges.js';

// Arguments: database, foreign system, the step to stop at. Charges once, reports when the step is reached, waits.
const [url, foreignUrl, stopAt] = process.argv.slice(2);
const { charges } = await openCharges(url!, foreignUrl!, systemClock, async (step) => {
  if (step !== stopAt) return;
  process.stdout.write(`${step}\n`);
  await new Promise(() => undefined);
});
await charges.run('order-1', { amount: 5 });
