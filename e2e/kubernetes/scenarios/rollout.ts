import { underLoad } from '../load/under-load.js';
import { processNames, untilEnded } from '../processes.js';
import type { Figures, Scenario } from '../scenario.js';

/** A new version of each process, one after the other. */
export const rollout: Scenario = {
  name: 'rollout',
  shows: 'each process rolled out under load: no failed request, no event lost, no mail twice',
  run: (cluster) =>
    underLoad(cluster, async () => {
      const figures: Figures = {};
      for (const name of await processNames(cluster)) {
        const startedAt = performance.now();
        await cluster.rollout(name);
        figures[`seconds of ${name}`] = Math.round((performance.now() - startedAt) / 1000);
      }
      await untilEnded(cluster);
      return figures;
    }),
};
