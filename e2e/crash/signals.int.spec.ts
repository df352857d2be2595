import { endOf } from '../support/end-of.js';
import { aDataDirectory, type NpmProcess, START_TIMEOUT_MS, startByNpm } from '../support/npm-process.js';

/** `npm run soak -- signals` adds the pairs that differ little from these, or from those of `launcher.int.spec.ts`. */
const EVERY = process.env.SIGNAL_CASES === 'all';

const OF_START = [
  ['SIGTERM', 'npm'],
  ['SIGKILL', 'npm'],
  ['SIGKILL', 'launcher'],
  ['SIGTERM', 'document store'],
  ['SIGTERM', 'PostgreSQL'],
] as const;
const MORE_OF_START = [
  ['SIGHUP', 'npm'],
  ['SIGKILL', 'shell'],
  ['SIGTERM', 'launcher'],
  ['SIGINT', 'launcher'],
  ['SIGHUP', 'launcher'],
] as const;
const OF_DEV = [
  ['SIGTERM', 'npm'],
  ['SIGKILL', 'launcher'],
] as const;
const MORE_OF_DEV = [
  ['SIGKILL', 'npm'],
  ['SIGTERM', 'launcher'],
  ['SIGHUP', 'launcher'],
] as const;

describe.each([
  ['start', EVERY ? [...OF_START, ...MORE_OF_START] : OF_START],
  ['dev', EVERY ? [...OF_DEV, ...MORE_OF_DEV] : OF_DEV],
] as const)('npm run %s', (script, cases) => {
  // Each start but the first is on what the signal before has left.
  const data = aDataDirectory();
  let npm: NpmProcess;
  beforeEach(async () => (npm = await startByNpm(script, data.path)), START_TIMEOUT_MS + 30_000);
  afterEach(() => npm.clear());
  afterAll(() => data.remove());

  it.each(cases)(
    'leaves no process behind after a %s to the %s',
    async (signal, target) => {
      const ending = endOf(npm.tree);
      process.kill(npm.pidOf(target), signal);
      expect(await ending).toEqual({ left: [], late: false });
    },
    90_000,
  );
});
