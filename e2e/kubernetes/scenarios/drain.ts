import { until } from '@pulso/platform/testing/until';
import { NAMESPACE, type Cluster } from '../cluster.js';
import { underLoad } from '../load/under-load.js';
import type { Pod } from '../pods.js';
import { pause, untilPods } from '../processes.js';
import type { Figures, Scenario } from '../scenario.js';
import { withTwoPods } from '../two-pods.js';

/** A pod may be evicted when the one before it has a successor. */
const EVICTED_MS = 180_000;

/**
 * What `kubectl drain` does with two pods of each process, by the interface that it uses: itself it would close the only node for their
 * successors.
 */
export const drain: Scenario = {
  name: 'drain',
  shows:
    'both pods of each process evicted under load: the budget lets one go at a time, and no request fails',
  run: (cluster) =>
    underLoad(cluster, async () => {
      const figures: Figures = {};
      await withTwoPods(cluster, async (group) => {
        const evictAll = async ({ name, pods }: (typeof group)[number]) => {
          const startedAt = performance.now();
          const refused = await evictBoth(cluster, name, pods);
          const seconds = Math.round((performance.now() - startedAt) / 1000);
          figures[name] = `${seconds} s, ${refused} refusals of the budget`;
        };
        await Promise.all(group.map(evictAll));
      });
      return figures;
    }),
};

/** @returns how often the budget has refused the second one */
async function evictBoth(cluster: Cluster, name: string, [first, second]: Pod[]): Promise<number> {
  if (!(await evict(cluster, first!))) throw new Error(`No pod of ${name} may be evicted`);
  let refused = 0;
  const isEvicted = async () => {
    if (await evict(cluster, second!)) return true;
    refused += 1;
    return pause(cluster);
  };
  await until(isEvicted, {
    what: `the eviction of the second pod of ${name}`,
    limit: EVICTED_MS,
  });
  if (refused === 0) throw new Error(`Both pods of ${name} were evicted at once`);
  await untilPods(cluster, name, 2, [first!, second!]);
  return refused;
}

/** @returns false when the budget does not allow it now */
async function evict(cluster: Cluster, { metadata }: Pod): Promise<boolean> {
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: metadata.name },
  };
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${metadata.name}/eviction`;
  const input = JSON.stringify(eviction);
  const { code, stderr } = await cluster.tryKubectl(['create', '--raw', path, '--filename', '-'], { input });
  if (code === 0) return true;
  if (stderr.includes('disruption budget')) return false;
  throw new Error(`Eviction of ${metadata.name}: ${stderr}`);
}
