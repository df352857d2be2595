import type { Cluster } from '../cluster.js';
import type { Scenario } from '../scenario.js';

/** Builds, deploys, and deploys once more what has not changed. */
export const deploy: Scenario = {
  name: 'deploy',
  shows: 'skaffold run brings all pods to ready, and again without a change',
  async run(cluster) {
    const first = await cluster.skaffold.run({ onLine: show });
    await cluster.untilAllReady();
    const before = await uids(cluster);
    const startedAt = performance.now();
    await cluster.skaffold.run();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    await cluster.untilAllReady();
    const after = await uids(cluster);
    return {
      'pods ready': after.size,
      'seconds of the builds': first.buildSeconds,
      'seconds of the roll-out': first.rolloutSeconds,
      'seconds of a second skaffold run without a change': seconds,
      'pods that are new after it': [...after].filter((uid) => !before.has(uid)).length,
    };
  },
};

/** Of what Skaffold says, where it is. */
const PROGRESS = /^(Building \[|Starting |Deployments stabilized)/;
const show = (line: string) => void (PROGRESS.test(line) && console.log(`  ${line}`));

const uids = async (cluster: Cluster) =>
  new Set((await cluster.running()).map(({ metadata }) => metadata.uid));
