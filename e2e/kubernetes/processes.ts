import { until } from '@pulso/platform/testing/until';
import type { Cluster } from './cluster.js';
import { type Pod, isReady, nameOf, shortState } from './pods.js';

export const PROCESSES = 'app.kubernetes.io/part-of=pulso,app.kubernetes.io/component=process';
export const ENGINES = 'app.kubernetes.io/part-of=pulso,app.kubernetes.io/component=engine';
/** A pod that was asked to end has 35 s. */
const ENDED_MS = 90_000;
const READY_MS = 180_000;
/** Each look by kubectl takes a tenth of a second of a core, which the load needs. */
const PAUSE_MS = 1_500;

export const processSelector = (name: string) => `app.kubernetes.io/name=${name},${PROCESSES}`;

/** The gateway, the services and the workers that are deployed. */
export async function processNames(cluster: Cluster): Promise<string[]> {
  return [...new Set((await cluster.pods(PROCESSES)).map(nameOf))].toSorted();
}

/** Resolves with the ready pods of a process when they are exactly so many, none of which is one of `gone`. */
export async function untilPods(
  cluster: Cluster,
  name: string,
  count: number,
  gone: readonly Pod[] = [],
): Promise<Pod[]> {
  let seen: Pod[] = [];
  const areThere = async () => {
    seen = (await cluster.pods(processSelector(name))).filter(
      ({ metadata }) => !gone.some((pod) => pod.metadata.uid === metadata.uid),
    );
    if (seen.length === count && seen.every(isReady)) return seen;
    return pause(cluster);
  };
  const what = () =>
    `${count} ready pods of ${name}; there were ${seen.map(shortState).join(', ') || 'none'}`;
  return until(areThere, { what, limit: READY_MS });
}

/** Resolves when no pod is about to go any more. */
export async function untilEnded(cluster: Cluster, selector = PROCESSES): Promise<void> {
  let ending: string[] = [];
  const haveEnded = async () => {
    const { items } = await cluster.get<{ items: Pod[] }>('pods', '--selector', selector);
    ending = items.filter(({ metadata }) => metadata.deletionTimestamp).map(({ metadata }) => metadata.name);
    return ending.length === 0 || pause(cluster);
  };
  await until(haveEnded, {
    what: () => `the end of ${ending.join(', ')}`,
    limit: ENDED_MS,
  });
}

/** By uid of its pod: how often a container of it was started again. */
export function restartsOf(pods: readonly Pod[]): Map<string, number> {
  return new Map(
    pods.map(({ metadata, status }) => [
      metadata.uid,
      (status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0),
    ]),
  );
}

/** For a fact that does not hold yet: it is asked again after a moment. */
export async function pause({ signal }: Cluster): Promise<undefined> {
  signal.throwIfAborted();
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  return undefined;
}
