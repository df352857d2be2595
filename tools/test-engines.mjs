import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import { ENGINES, testVariable } from './engines/index.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode, root } from './prepare.mjs';
import { runParallel } from './run-parallel.mjs';
import { printSum, suiteOf } from './suites.mjs';

/**
 * `npm run test:engines [-- --native [--faults]]`: runs the suites of services and gateway that use engines, and the API
 * journeys in the cluster profile, on real engines. These are the engines that PULSO_TEST_KAFKA_BROKERS,
 * _REDIS_URL, _POSTGRES_URL and _MONGODB_URL name; with `--native` programs of this machine, which `--faults` can
 * stop and kill for the fault tests, and the embedded document store; otherwise containers. The last line is
 * `N passed, N failed`.
 */
const NAMES = ENGINES.map(testVariable);
/** The suites that use an engine; all others have nothing that differs from `npm test`. */
const ON_ENGINES = String.raw`\.(int|kafka)\.spec\.ts$`;
/** Before `ON_ENGINES`: not those of the platform's document stores. */
const NOT_ON_DOCUMENTS = String.raw`(?<!test/mongo/[^/]+)`;
/** All packages; the slowest first, so that it doesn't end last. */
const FOLDERS = new Set([
  'services/platform',
  ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
  'gateway',
]);

requireNode();
const options = process.argv.slice(2);
const unknown = options.find((option) => !['--native', '--faults'].includes(option));
if (unknown)
  fail(
    `Unknown option ${unknown}. The options are --native, to use Kafka, Redis and PostgreSQL of this machine, and --faults.`,
  );
await installWhenNeeded();
await buildWhenNeeded();
const native = options.includes('--native');
const faults = options.includes('--faults');
if (faults && !native) fail('--faults: only engines of this machine can be stopped; add --native.');
// Named engines have a MongoDB; native ones have the document store of `npm test`.
const withEmbeddedDocuments = native && NAMES.some((name) => !process.env[name]);
process.env.PULSO_PREBUILT = '1';
process.env.PULSO_TEST_PROFILE = 'cluster';
if (native) process.env.PULSO_TEST_NATIVE = '1';

// Ends the suites first, and then the engines.
const interrupted = abortOnSignal();
const run = (tasks) => runParallel(tasks, interrupted);

const sum = { passed: 0, failed: 0 };
const failed = [];
try {
  const stop = await provideEngines(native);
  try {
    const journeys = suiteOf('e2e', sum, ['api/', 'cluster/'], 'e2e (journeys)');
    failed.push(...(await run([journeys, ...(await suitesOfPackages(sum))])));
  } finally {
    await stop();
  }
  // Last and alone, with separate engines: these suites measure how long recovery takes.
  if (faults) failed.push(...(await run([suiteOf('e2e', sum, ['faults/'], 'e2e (faults)')])));
} catch (error) {
  if (interrupted.aborted) fail('Interrupted.');
  throw error;
}
printSum(sum, failed);

/**
 * The suites of packages that use an engine. Where the document store is the embedded one, as in `npm test`, without those
 * that would repeat it: a service's suites use its store and a bus in PostgreSQL, never Kafka.
 */
async function suitesOfPackages(sum) {
  const repeated = withEmbeddedDocuments ? await servicesOnDocuments() : [];
  const pattern = withEmbeddedDocuments ? NOT_ON_DOCUMENTS + ON_ENGINES : ON_ENGINES;
  return [...FOLDERS]
    .filter((folder) => !repeated.includes(folder))
    .filter((folder) =>
      readdirSync(join(root, folder), { recursive: true }).some((path) => RegExp(ON_ENGINES).test(path)),
    )
    .map((folder) => suiteOf(folder, sum, [pattern]));
}

async function servicesOnDocuments() {
  const { SERVICES } = await import('@pulso/registry/services');
  return Object.values(SERVICES)
    .filter(({ store }) => store.kind === 'mongo')
    .map(({ name }) => `services/${name}`);
}

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
