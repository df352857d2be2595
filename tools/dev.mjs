import { join, relative } from 'node:path';
import { endWithParent } from './end-with-parent.mjs';
import { freePorts } from './free-ports.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode, root } from './prepare.mjs';

/**
 * `npm run dev`: all of Pulso for development, on the data of `npm start`. The engines run until the end; the
 * services and the gateway restart when their code changes; Vite serves the frontend and forwards the gateway's paths
 * to it. The settings are those of `npm start`, and INSPECT_PORT for the debugger.
 */
requireNode();
endWithParent();
const inspectPort = Number(process.env.INSPECT_PORT || 9229);
if (!Number.isInteger(inspectPort) || inspectPort < 1 || inspectPort > 65_535) {
  fail('INSPECT_PORT: must be a port number from 1 to 65535.');
}
await installWhenNeeded();
await buildWhenNeeded('none');

// Imported here, because only now the dependencies are installed and the modules built.
const launcher = join(root, 'deploy/embedded/dist/launcher');
const fromLauncher = (name) => import(join(launcher, name));
const [
  { launch, progress },
  { readSettings },
  { startEngines },
  { welcome },
  { runningSimulator },
  { createLogger },
] = await Promise.all([
  fromLauncher('launch.js'),
  fromLauncher('settings.js'),
  fromLauncher('engines.js'),
  fromLauncher('main.js'),
  fromLauncher('simulator.js'),
  import('@pulso/platform/logging/logger'),
]);
const { createCompiler } = await import('./dev/compiler.mjs');
const { refreshClientTypes } = await import('./dev/client-types.mjs');
const { compiledPackages, updateContracts } = await import('./dev/packages.mjs');
const { ServicesProcess } = await import('./dev/services-process.mjs');
const { startVite } = await import('./dev/vite.mjs');
const { isInside, watchSources } = await import('./dev/watch-sources.mjs');

await launch(async ({ closers, abort, stopWithin }) => {
  const started = Date.now();
  const [freePort, gatewayPort] = await freePorts(2);
  const port = process.env.PORT === '0' ? `${freePort}` : process.env.PORT;
  const settings = readSettings({ ...process.env, PORT: port });
  stopWithin(settings.stopDeadlineMs);
  const { dataDirectory, logLevel, publicUrl } = settings;
  const logger = createLogger({ service: 'dev', level: logLevel, pretty: process.stdout.isTTY });
  const { urls } = await startEngines({ dataDirectory, logger, closers, onLost: abort });
  const services = new ServicesProcess({
    script: join(launcher, 'services-process.js'),
    execArgv: ['--enable-source-maps', `--inspect=127.0.0.1:${inspectPort}`, '--max-semi-space-size=64'],
    env: { ...process.env, PORT: `${gatewayPort}`, PUBLIC_URL: publicUrl },
    startMessage: { urls },
    log: console.log,
  });
  closers.push(() => services.stop());
  closers.push(await watch(services));
  const [answers, vite] = await Promise.all([
    services.restart(),
    startVite({ port: settings.port, publicUrl, gatewayPort, services }),
  ]);
  closers.push(() => vite.close());
  if (!answers) return progress('Waiting for a change of the code');
  const simulator = runningSimulator(dataDirectory);
  welcome(settings, { listening: publicUrl, milliseconds: Date.now() - started, simulator });
  console.log(`Debugger: 127.0.0.1:${inspectPort}. The services restart when their code changes.`);
});

/** Restarts the services when their code changes. Resolves to a function that stops the watching. */
async function watch(services) {
  const packages = compiledPackages(root);
  const contracts = packages.find(({ folder }) => folder === join(root, 'proto'));
  const compiler = createCompiler(join(root, 'swc.build.json'));
  const parts = ['document-store', 'postgres', 'launcher/engines.ts', 'launcher/launch.ts'];
  const engineCode = parts.map((part) => join(root, 'deploy/embedded/src', part));
  /** Whether changes were compiled that the services do not run yet, because of an error elsewhere. */
  let outdated = false;
  /** Whether the gateway's API may have changed, which the frontend's types are generated from. */
  let gatewayChanged = false;

  async function update(files) {
    const at = Date.now();
    if (files.some((file) => file.endsWith('.proto'))) {
      outdated = (await updateContracts(contracts, compiler)) || outdated;
    }
    for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
      const owner = packages.find(({ source }) => isInside(file, source));
      if (!owner || !(await compiler.update(file, owner))) continue;
      if (engineCode.some((part) => file === part || isInside(file, part))) {
        console.log(`${relative(root, file)}: restart npm run dev to use it in the engines.`);
      } else {
        outdated = true;
        gatewayChanged ||= owner.folder === join(root, 'gateway');
      }
    }
    for (const [file, error] of compiler.errors) console.error(`\n${relative(root, file)}\n${error}`);
    if (compiler.errors.size > 0) {
      console.error('The services keep running the previous code.');
    } else if (outdated) {
      outdated = false;
      if (await services.restart()) console.log(`Restarted after ${Date.now() - at} ms.`);
      if (gatewayChanged) await refreshClientTypes(root);
      gatewayChanged = false;
    }
  }
  const folders = packages.map(({ watched }) => watched);
  return watchSources(folders, update);
}
