import { z } from 'zod';
import { ConfigError, loadConfig } from '../../src/process/load-config.js';
import { processSettings } from '../../src/process/process-settings.js';
import { connectOrExplain } from '../../src/process/engine-address.js';
import { runProcess } from '../../src/process/run-process.js';

const settings = z.object({ ...processSettings, STORE_URL: z.url(), BEHAVIOUR: z.string().default('serve') });

/** A process that behaves as BEHAVIOUR says and prints its steps, one word per line. */
const say = (word: string) => process.stdout.write(`${word}\n`);
const never = new Promise<void>(() => undefined);

await runProcess({
  name: 'living',
  readConfig: (env) => loadConfig(settings, env),
  async start({ config: { BEHAVIOUR: behaviour, STORE_URL: url }, onStop }) {
    setInterval(() => undefined, 1_000);
    onStop(() => void say('store-closed'));
    if (behaviour === 'unreachable') {
      await connectOrExplain('STORE_URL', url, () =>
        Promise.reject(new Error(`connect ECONNREFUSED for ${url}`)),
      );
    }
    if (behaviour === 'contradiction') throw new ConfigError('STORE_PASSWORD: is not set, but the user is');
    if (behaviour === 'broken-start') throw new Error('a defect');
    onStop(async () => {
      say('draining');
      if (behaviour === 'slow-stop') await never;
      if (behaviour === 'broken-stop') throw new Error('it hung');
    });
    if (behaviour === 'uncaught') setTimeout(() => void Promise.reject(new Error('nobody caught this')), 10);
    say('serving');
  },
});
