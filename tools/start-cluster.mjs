import { join, resolve } from 'node:path';
import { passedOn, readStartSettings } from './cluster/start-settings.mjs';
import { endWithParent } from './end-with-parent.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode, root } from './prepare.mjs';

/**
 * `npm run start:cluster [-- --engines]`: every service and the gateway as separate processes until Ctrl-C, on the
 * engines that KAFKA_BROKERS, REDIS_URL, POSTGRES_URL, MONGODB_URL and S3_URL name. When none is set, or with `--engines`,
 * this machine runs the engines for as long. For development and journeys; production clusters run on Kubernetes.
 */
requireNode();
endWithParent();
const settings = readStartSettings(process.argv.slice(2), process.env);
await installWhenNeeded();
await buildWhenNeeded();

// Imported here, because only now the dependencies are installed and the modules built.
const fromLauncher = (/** @type {string} */ name) => import(`../deploy/embedded/dist/launcher/${name}.js`);
const { launch, progress } = await fromLauncher('launch');
await launch(async (/** @type {import('@pulso/embedded/launcher/launch').Launch} */ { closers }) => {
  const { startCluster } = await import('./cluster/cluster.mjs');
  const { SERVICE_SETTING_NAMES } = await import('@pulso/registry/setting-names');
  const { GATEWAY_SETTING_NAMES } = await import('@pulso/gateway/config');
  const known = new Set([...SERVICE_SETTING_NAMES, ...GATEWAY_SETTING_NAMES]);
  const started = Date.now();
  let engines = settings.engines;
  if (!engines) {
    progress('Starting Kafka, Redis, PostgreSQL, the document store and an S3 server');
    const { startNativeEngines } = await import('./engines/native.mjs');
    const native = await startNativeEngines();
    closers.push(native.discard);
    engines = native;
  }
  const { createDataDirectory, openDataDirectory } = await fromLauncher('data-directory');
  const { lockDataDirectory } = await fromLauncher('instance-lock');
  const directory = resolve(settings.dataDirectory, 'cluster');
  createDataDirectory(directory);
  const lock = lockDataDirectory(directory);
  closers.push(() => lock.release());
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
    onStep: progress,
    onStoppable: (stopAll) => closers.push(stopAll),
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const others = cluster.urls.slice(1).map((url) => `, ${url}`);
  console.log(`\nPulso is running at http://localhost:${settings.port}${others.join('')}  (${seconds} s)`);
  console.log('Press Ctrl-C to stop.');
});
