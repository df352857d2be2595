import { rmSync } from 'node:fs';
import { type NpmProcess, SET_UP_MS, startByNpm } from '../support/npm-process.js';
import { anEmptyDirectory } from '../support/template-directory.js';

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
  ['SIGTERM', 'launcher'],
  ['SIGKILL', 'launcher'],
] as const;
const MORE_OF_DEV = [
  ['SIGKILL', 'npm'],
  ['SIGHUP', 'launcher'],
] as const;

describe.each([
  ['start', EVERY ? [...OF_START, ...MORE_OF_START] : OF_START],
  ['dev', EVERY ? [...OF_DEV, ...MORE_OF_DEV] : OF_DEV],
] as const)('npm run %s', (script, cases) => {
  // Each start but the first is on what the signal before has left.
  const directory = anEmptyDirectory('signals');
  let npm: NpmProcess | undefined;
  beforeEach(async () => {
    npm = undefined;
    npm = await startByNpm(script, directory);
  }, SET_UP_MS);
  afterEach(() => npm?.clear());
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(cases)('leaves no process behind after a %s to the %s', async (signal, target) => {
    process.kill(npm!.pidOf(target), signal);
    await npm!.untilEnded();
  });
});
