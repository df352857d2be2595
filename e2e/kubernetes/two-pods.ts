import type { Cluster } from './cluster.js';
import type { Pod } from './pods.js';
import { processNames, untilEnded, untilPods } from './processes.js';

interface Autoscaler {
  spec: { minReplicas: number };
}

/** So many at a time have two pods: all of them would request more than two cores. */
const AT_ONCE = 3;

/**
 * For each process: brings it to two pods, does something to them, and takes the second away again. One group of processes after the
 * other. @param act gets the two ready pods, oldest first
 */
export async function withTwoPods(
  cluster: Cluster,
  act: (group: { name: string; pods: Pod[] }[]) => Promise<void>,
): Promise<void> {
  const names = await processNames(cluster);
  for (let first = 0; first < names.length; first += AT_ONCE) {
    const group = names.slice(first, first + AT_ONCE);
    const before = new Map<string, number>();
    for (const name of group) before.set(name, (await cluster.get<Autoscaler>('hpa', name)).spec.minReplicas);
    try {
      for (const name of group) await keep(cluster, name, 2);
      await act(
        await Promise.all(
          group.map(async (name) => ({
            name,
            pods: await untilPods(cluster, name, 2),
          })),
        ),
      );
    } finally {
      const afterwards = cluster.afterwards();
      for (const [name, minimum] of before) await keep(afterwards, name, minimum);
    }
    await untilEnded(cluster);
  }
}

/** Brings a process to so many pods, and lets the autoscaler keep no fewer. */
async function keep(cluster: Cluster, name: string, minReplicas: number): Promise<void> {
  const patch = JSON.stringify({ spec: { minReplicas } });
  await cluster.kubectl(['patch', 'hpa', name, '--type=merge', '--patch', patch]);
  // The autoscaler would add one within a quarter of a minute, and take one away after minutes.
  await cluster.kubectl(['scale', `deployment/${name}`, `--replicas=${minReplicas}`]);
}
