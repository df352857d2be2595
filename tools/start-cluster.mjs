import { join, resolve } from 'node:path';
import { passedOn, readStartSettings } from './cluster/start-settings.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode, root } from './prepare.mjs';

/**
 * `npm run start:cluster [-- --engines]`: every service and the gateway as separate processes until Ctrl-C, on the
 * engines that KAFKA_BROKERS, REDIS_URL, POSTGRES_URL and MONGODB_URL name. When none is set, or with `--engines`,
 * this machine runs the engines for as long. For development and journeys; production clusters run on Kubernetes.
 */
requireNode();
const settings = readStartSettings(process.argv.slice(2), process.env);
installWhenNeeded();
buildWhenNeeded();

/** @type {(() => Promise<void>)[]} */
const closers = [];
let stopping = false;
async function stop(/** @type {number} */ code) {
  // On a second Ctrl-C, the processes end with this one, by their IPC channels.
  if (stopping) process.exit(1);
  stopping = true;
  for (const close of closers.reverse()) await close();
  process.exit(code);
}
process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));

const step = (/** @type {string} */ line) => console.log(`${line} …`);
try {
  // Imported here, because only now the dependencies are installed and the module built.
  const { startCluster } = await import('./cluster/cluster.mjs');
  const { SERVICE_SETTING_NAMES } = await import('@pulso/registry/setting-names');
  const { GATEWAY_SETTING_NAMES } = await import('@pulso/gateway/config');
  const known = new Set([...SERVICE_SETTING_NAMES, ...GATEWAY_SETTING_NAMES]);
  const started = Date.now();
  let engines = settings.engines;
  if (!engines) {
    step('Starting Kafka, Redis, PostgreSQL and the document store');
    const { startNativeEngines } = await import('./engines/native.mjs');
    const native = await startNativeEngines();
    closers.push(native.stop);
    engines = native;
  }
  const { createDataDirectory, openDataDirectory } =
    await import('../deploy/embedded/dist/launcher/data-directory.js');
  const { lockDataDirectory } = await import('../deploy/embedded/dist/launcher/instance-lock.js');
  const directory = resolve(settings.dataDirectory, 'cluster');
  createDataDirectory(directory);
  const lock = lockDataDirectory(directory);
  closers.push(async () => lock.release());
  const { secrets } = await openDataDirectory(directory);
  const cluster = await startCluster({
    ...settings,
    engines,
    secrets,
    prefix: 'pulso',
    env: {
      STATIC_DIR: join(root, 'frontend/dist'),
      ...passedOn(process.env, known, settings.engines === undefined),
    },
    onLine: (line) => console.log(line),
    onStep: step,
    onStoppable: (stopAll) => closers.push(stopAll),
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const others = cluster.urls.slice(1).map((url) => `, ${url}`);
  console.log(`\nPulso is running at http://localhost:${settings.port}${others.join('')}  (${seconds} s)`);
  console.log('Press Ctrl-C to stop.');
} catch (error) {
  if (!stopping) {
    console.error(`pulso: ${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
  }
}
