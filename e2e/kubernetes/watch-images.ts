import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import type { Pod } from './pods.js';

/** What Kubernetes says of a container whose image it cannot get. */
const REFUSED = ['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName'];
/** Kubernetes tries again after 10 s and after 20 s: a registry may fail once. */
const LOOKS = 4;
const PAUSE_MS = 10_000;

/**
 * Looks at the pods until the signal is aborted. Rejects when an image could not be had in four looks in a row, and names it: nothing
 * waits for its pods in vain.
 */
export async function watchImages(cluster: Cluster, signal: AbortSignal, pauseMs = PAUSE_MS): Promise<void> {
  let looks = new Map<string, number>();
  while (!signal.aborted) {
    const refused = await refusedImages(cluster);
    looks = new Map([...refused.keys()].map((image) => [image, (looks.get(image) ?? 0) + 1]));
    const missing = [...refused].filter(([image]) => looks.get(image)! >= LOOKS);
    if (missing.length > 0)
      throw new Error(`Images that the cluster cannot have: ${missing.map(([, why]) => why).join('; ')}`);
    await delay(pauseMs, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** By image: which pod lacks it, and why. */
async function refusedImages(cluster: Cluster): Promise<Map<string, string>> {
  const { code, stdout } = await cluster.tryKubectl(['get', 'pods', '--output', 'json']);
  const refused = new Map<string, string>();
  // Whoever deploys meanwhile says that the API does not answer.
  if (code !== 0) return refused;
  for (const { metadata, spec, status } of (JSON.parse(stdout) as { items: Pod[] }).items) {
    const containers = [...(spec.initContainers ?? []), ...spec.containers];
    for (const { name, state } of [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
    ]) {
      const { reason, message } = state.waiting ?? {};
      const image = containers.find((container) => container.name === name)?.image;
      if (image && reason && REFUSED.includes(reason))
        refused.set(image, `${image} of ${metadata.name} (${reason}: ${message ?? 'no message'})`);
    }
  }
  return refused;
}
