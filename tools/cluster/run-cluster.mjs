import { join, resolve } from 'node:path';
import { createDataDirectory, openDataDirectory } from '@pulso/embedded/launcher/data-directory';
import { lockDataDirectory } from '@pulso/embedded/launcher/instance-lock';
import { launch, progress } from '@pulso/embedded/launcher/launch';
import { startSimulator } from '@pulso/embedded/launcher/simulator';
import { GATEWAY_SETTING_NAMES } from '@pulso/gateway/config';
import { SERVICE_SETTING_NAMES } from '@pulso/registry/setting-names';
import { startCluster } from './cluster.mjs';
import { passedOn } from './passed-on.mjs';

/**
 * Runs the cluster of `npm run start:cluster` until SIGINT, SIGTERM or SIGHUP. A failure prints one line and ends with exit
 * code 1.
 *
 * @param {object} parts
 * @param {ReturnType<typeof import('./start-settings.mjs').readStartSettings>} parts.settings
 * @param {string} parts.root of the repository
 * @param {typeof import('../engines/native.mjs').startNativeEngines} parts.startEngines where the settings name none
 */
export async function runCluster({ settings, root, startEngines }) {
  const known = new Set([...SERVICE_SETTING_NAMES, ...GATEWAY_SETTING_NAMES]);
  await launch(async ({ closers }) => {
    const started = Date.now();
    let engines = settings.engines;
    if (!engines) {
      progress('Starting Kafka, Redis, PostgreSQL, the document store and an S3 server');
      const native = await startEngines();
      closers.push(native.discard);
      engines = native;
    }
    const directory = resolve(settings.dataDirectory, 'cluster');
    createDataDirectory(directory);
    const lock = lockDataDirectory(directory);
    closers.push(() => lock.release());
    const { secrets } = await openDataDirectory(directory);
    const passed = passedOn(process.env, known, settings.engines === undefined);
    const simulator = await startSimulatorWhereAsked(settings, passed, { path: directory, secrets });
    if (simulator) closers.push(() => simulator.close());
    const cluster = await startCluster({
      ...settings,
      root,
      engines,
      secrets,
      prefix: 'pulso',
      env: {
        STATIC_DIR: join(root, 'frontend/dist'),
        ...passed,
        ...simulator?.environment,
      },
      onLine: (line) => console.log(line),
      onStep: progress,
      onStoppable: (stopAll) => closers.push(stopAll),
    });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    const others = cluster.urls.slice(1).map((url) => `, ${url}`);
    console.log(`\nPulso is running at http://localhost:${settings.port}${others.join('')}  (${seconds} s)`);
    if (simulator) console.log(`Payments go to a simulator of Stripe: ${simulator.url}/_control`);
    console.log('Press Ctrl-C to stop.');
  });
}

/**
 * Where production is asked for, billing refuses it.
 *
 * @param {Pick<ReturnType<typeof import('./start-settings.mjs').readStartSettings>, 'port' | 'simulatorPort'>} settings
 * @param {Record<string, string>} env
 * @param {Pick<import('@pulso/embedded/launcher/data-directory').DataDirectory, 'path' | 'secrets'>} data
 */
async function startSimulatorWhereAsked({ port, simulatorPort }, env, data) {
  if (env.PAYMENTS !== 'simulator' || env.NODE_ENV === 'production') return undefined;
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${port}`;
  return startSimulator({ port, simulatorPort, publicUrl }, data, env);
}
