import { readStartSettings } from './cluster/start-settings.mjs';
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
const { runCluster } = await import('../deploy/embedded/bundle/launcher/cluster.js');
await runCluster({
  settings,
  root,
  startEngines: async () => (await import('./engines/native.mjs')).startNativeEngines(),
});
