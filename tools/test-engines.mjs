import { abortOnSignal } from './abort-on-signal.mjs';
import { ENGINES, testVariable } from './engines/index.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode } from './prepare.mjs';
import { runSuites } from './suites.mjs';
import { engineSuites } from './suites/engine-suites.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm run test:engines [-- --native [--faults]]`: runs the suites that an engine can change
 * (`suites/engine-suites.mjs`), and the API journeys in the cluster profile, on real engines. These are the engines that PULSO_TEST_KAFKA_BROKERS,
 * _REDIS_URL, _POSTGRES_URL, _MONGODB_URL and _S3_URL name; with `--native` programs of this machine, which `--faults` can
 * stop and kill for the fault tests; otherwise containers. The last line is `N passed, N failed`.
 */
const NAMES = ENGINES.map(testVariable);

requireNode();
const options = process.argv.slice(2);
const unknown = options.find((option) => !['--native', '--faults'].includes(option));
if (unknown)
  fail(`Unknown option ${unknown}. The options are --native, to use engines of this machine, and --faults.`);
await installWhenNeeded();
await buildWhenNeeded();
const native = options.includes('--native');
const faults = options.includes('--faults');
if (faults && !native) fail('--faults: only engines of this machine can be stopped; add --native.');
process.env.PULSO_PREBUILT = '1';
process.env.PULSO_TEST_PROFILE = 'cluster';

// Ends the suites first, and then the engines.
const interrupted = abortOnSignal();
const report = new Report();
await inRunFolder(interrupted, async () => {
  const stop = await provideEngines(native);
  const journeys = { folder: 'e2e', patterns: ['api/', 'cluster/'], usualS: 420 };
  const suites = [journeys, ...engineSuites({ native })];
  await runSuites(suites, report, interrupted).finally(stop);
  // Last and alone, with separate engines: these suites measure how long recovery takes.
  if (faults) await runSuites([{ folder: 'e2e', patterns: ['faults/'], usualS: 600 }], report, interrupted);
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
    return fail(
      `no containers (${error.message}). Name engines by ${NAMES.join(', ')}, or use those of this machine: npm run test:engines -- --native`,
    );
  }
}
