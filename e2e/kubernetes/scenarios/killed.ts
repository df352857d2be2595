import { underLoad } from '../load/under-load.js';
import { untilPods } from '../processes.js';
import type { Figures, Scenario } from '../scenario.js';
import { withTwoPods } from '../two-pods.js';

/** Of two pods of each process, one ends without a warning. */
export const killed: Scenario = {
  name: 'killed',
  shows: 'one of two pods of each process killed under load: no failed request, no event lost, no mail twice',
  run: (cluster) =>
    underLoad(cluster, async () => {
      const figures: Figures = {};
      await withTwoPods(cluster, async (group) => {
        for (const { name, pods } of group) {
          const startedAt = performance.now();
          const victim = pods[0]!;
          await cluster.kubectl(['delete', 'pod', victim.metadata.name, '--force', '--grace-period=0']);
          await untilPods(cluster, name, pods.length, [victim]);
          figures[`seconds until ${name} has two again`] = Math.round((performance.now() - startedAt) / 1000);
        }
      });
      return figures;
    }),
};
