import { join } from 'node:path';
import { buildWhenNeeded, installWhenNeeded, requireNode, root, step } from './prepare.mjs';

/**
 * `npm run kubernetes [-- --only deploy,policies] [--context <name>] [--keep] [--reuse] [--outside <address>:<port>]
 * [--rate <requests a second>]`: deploys Pulso to the cluster of kubectl's context by
 * Skaffold, proves what deploy/kubernetes/README.md lists, each with a figure, and takes it away again.
 */
requireNode();
await installWhenNeeded();
await buildWhenNeeded('none');
await step('Building the proof', 'npm', ['run', 'build:bench', '--silent'], { cwd: join(root, 'e2e') });
const { runKubernetesProof } = await import('../e2e/dist/kubernetes/run.js');
const passed = await runKubernetesProof().catch((error) => {
  console.error(error.message);
  return false;
});
process.exit(passed ? process.exitCode : 1);
