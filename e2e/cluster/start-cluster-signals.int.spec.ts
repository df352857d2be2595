import { endOf } from '../support/end-of.js';
import { aDataDirectory, type NpmProcess, START_TIMEOUT_MS, startByNpm } from '../support/npm-process.js';
import { engine } from '../support/test-pulso.js';

/** With engines of its own where the suites' engines are programs of this machine, too. */
const options = process.env.PULSO_TEST_NATIVE
  ? { args: ['--engines'] }
  : {
      env: {
        KAFKA_BROKERS: engine('PULSO_TEST_KAFKA_BROKERS'),
        REDIS_URL: engine('PULSO_TEST_REDIS_URL'),
        POSTGRES_URL: engine('PULSO_TEST_POSTGRES_URL'),
        MONGODB_URL: engine('PULSO_TEST_MONGODB_URL'),
      },
    };

/** Each case starts engines and all processes: `npm run soak -- signals-cluster` adds those that differ little from these. */
const CASES = [
  ['SIGTERM', 'npm'],
  ['SIGKILL', 'launcher'],
] as const;
const MORE = [
  ['SIGKILL', 'npm'],
  ['SIGHUP', 'launcher'],
] as const;

describe('npm run start:cluster', () => {
  const data = aDataDirectory();
  let npm: NpmProcess;
  beforeEach(
    async () => (npm = await startByNpm('start:cluster', data.path, options)),
    START_TIMEOUT_MS + 30_000,
  );
  afterEach(() => npm.clear());
  afterAll(() => data.remove());

  it.each(process.env.SIGNAL_CASES === 'all' ? [...CASES, ...MORE] : CASES)(
    'leaves no process behind after a %s to the %s',
    async (signal, target) => {
      const ending = endOf(npm.tree);
      process.kill(npm.pidOf(target), signal);
      expect(await ending).toEqual({ left: [], late: false });
    },
    90_000,
  );
});
