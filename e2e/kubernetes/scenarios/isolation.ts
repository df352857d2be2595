import { nameOf } from '../pods.js';
import type { Scenario } from '../scenario.js';

/** The team of billing deploys alone. */
export const isolation: Scenario = {
  name: 'isolation',
  shows: 'skaffold run -m billing with a changed setting makes new pods of billing alone',
  async run(cluster) {
    const before = new Set((await cluster.running()).map(({ metadata }) => metadata.uid));
    cluster.skaffold.set({ billing: { LOG_LEVEL: 'warn' } });
    const { buildSeconds, rolloutSeconds } = await cluster.skaffold.run({ modules: ['billing'] });
    const pods = await cluster.untilAllReady().then(() => cluster.running());
    const fresh = pods.filter(({ metadata }) => !before.has(metadata.uid));
    const names = [...new Set(fresh.map(nameOf))];
    if (names.join() !== 'billing') throw new Error(`New are pods of ${names.join(', ') || 'nobody'}`);
    const level = await cluster.node(fresh[0]!.metadata.name, 'console.log(process.env.LOG_LEVEL)');
    if (level.trim() !== 'warn')
      throw new Error(`billing has the setting ${level.trim()} and not the new one`);
    return {
      'new pods': fresh.map(({ metadata }) => metadata.name).join(', '),
      'pods that stay': pods.length - fresh.length,
      'seconds of the build': buildSeconds,
      'seconds of the roll-out': rolloutSeconds,
    };
  },
};
