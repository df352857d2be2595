import { rmSync } from 'node:fs';
import { type NpmProcess, SET_UP_MS, startByNpm } from '../support/npm-process.js';
import { anEmptyDirectory } from '../support/template-directory.js';
import { engine } from '../support/test-pulso.js';

/** The soak starts engines of its own each time, which end as the processes do. */
const options = process.env.PULSO_TEST_NATIVE
  ? { args: ['--engines'] }
  : {
      env: {
        KAFKA_BROKERS: engine('PULSO_TEST_KAFKA_BROKERS'),
        REDIS_URL: engine('PULSO_TEST_REDIS_URL'),
        POSTGRES_URL: engine('PULSO_TEST_POSTGRES_URL'),
        MONGODB_URL: engine('PULSO_TEST_MONGODB_URL'),
        S3_URL: engine('PULSO_TEST_S3_URL'),
      },
    };

/** The launcher cannot do anything for its processes. `npm run soak -- signals-cluster` adds what is as for `npm start`. */
const CASES = [['SIGKILL', 'launcher']] as const;
const MORE = [
  ['SIGTERM', 'npm'],
  ['SIGKILL', 'npm'],
  ['SIGHUP', 'launcher'],
] as const;

describe('npm run start:cluster', () => {
  const directory = anEmptyDirectory('cluster-signals');
  let npm: NpmProcess | undefined;
  beforeEach(async () => {
    npm = undefined;
    npm = await startByNpm('start:cluster', directory, options);
  }, SET_UP_MS);
  afterEach(() => npm?.clear());
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(process.env.SIGNAL_CASES === 'all' ? [...CASES, ...MORE] : CASES)(
    'leaves no process behind after a %s to the %s',
    async (signal, target) => {
      process.kill(npm!.pidOf(target), signal);
      await npm!.untilEnded();
    },
  );
});
