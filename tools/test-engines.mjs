import { availableParallelism } from 'node:os';
import { abortOnSignal } from './abort-on-signal.mjs';
import { ENGINES, testVariable } from './engines/index.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode } from './prepare.mjs';
import { runSuites } from './suites.mjs';
import { CLUSTER_SUITES, CRASH_SUITES, FAULT_SUITES } from './suites/e2e-suites.mjs';
import { engineSuites } from './suites/engine-suites.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm run test:engines [-- --native [--crash] [--faults]]`: runs the suites that an engine can change
 * (`suites/engine-suites.mjs`), and the API journeys in the cluster profile, on real engines. These are the engines that PULSO_TEST_KAFKA_BROKERS,
 * _REDIS_URL, _POSTGRES_URL, _MONGODB_URL and _S3_URL name; with `--native` programs of this machine, which `--faults` can
 * stop and kill for the fault tests; otherwise containers. `--crash` adds the suites of `npm run test:crash`: together they take
 * less time than one after the other, because suites on engines mostly wait. The last line is `N passed, N failed`.
 */
const NAMES = ENGINES.map(testVariable);
const OPTIONS = ['--native', '--crash', '--faults'];
const PROCESSORS = availableParallelism();

requireNode();
const options = process.argv.slice(2);
const unknown = options.find((option) => !OPTIONS.includes(option));
if (unknown) fail(`Unknown option ${unknown}. The options are ${OPTIONS.join(', ')}.`);
await installWhenNeeded();
await buildWhenNeeded();
const native = options.includes('--native');
const faults = options.includes('--faults');
if (faults && !native) fail('--faults: only engines of this machine can be stopped; add --native.');
process.env.PULSO_PREBUILT = '1';

// Ends the suites first, and then the engines.
const interrupted = abortOnSignal();
const report = new Report();
await inRunFolder(interrupted, async () => {
  const crash = options.includes('--crash') ? CRASH_SUITES : [];
  const starting = provideEngines(native).catch((error) => {
    console.error(error);
    report.break('The engines', `have not started: ${error.message}`);
    return undefined;
  });
  // What needs no engines runs while they start.
  const later = starting.then((stop) => [
    ...crash.slice(PROCESSORS),
    ...(stop ? [...CLUSTER_SUITES, ...engineSuites({ native })] : []),
  ]);
  try {
    // One more than there are processors, because these suites wait for Kafka and for processes.
    const pool = { atOnce: PROCESSORS + 1, later };
    await runSuites(crash.slice(0, PROCESSORS), report, interrupted, pool);
  } finally {
    const stop = await starting;
    await stop?.();
  }
  // Last and alone, with separate engines: these suites measure how long recovery takes.
  if (faults) await runSuites(FAULT_SUITES, report, interrupted);
});
endWith(report);

/** Sets the variables that name the engines. @returns a function that stops the engines started here */
async function provideEngines(native) {
  const missing = NAMES.filter((name) => !process.env[name]);
  if (missing.length === 0) return async () => undefined;
  if (missing.length < NAMES.length) {
    fail(`${missing.join(', ')}: not set. Name all engines, or none to have them started here.`);
  }
  console.log(`Starting ${native ? 'engines of this machine' : 'containers'} …`);
  const engines = await (native ? startNative() : startContainers());
  for (const engine of ENGINES) process.env[testVariable(engine)] = engines[engine.address];
  return engines.stop;
}

async function startNative() {
  const { startNativeEngines } = await import('./engines/native.mjs');
  return startNativeEngines();
}

async function startContainers() {
  const { startContainerEngines } = await import('./engines/containers.mjs');
  try {
    return await startContainerEngines();
  } catch (error) {
    throw new Error(
      `no containers (${error.message}). Use those of this machine (npm run test:engines -- --native), or name engines by ${NAMES.join(', ')}`,
      { cause: error },
    );
  }
}
