import { ENGINES, startEach } from './index.mjs';

/**
 * Kafka 4, Redis, PostgreSQL, MongoDB and MinIO as containers, by Testcontainers; needs a Docker engine. Resolves to the
 * same addresses as `startNativeEngines`, and `stop`. After a run was killed, Testcontainers removes its containers.
 */
export async function startContainerEngines() {
  const { started, stop } = await startEach((engine) => engine.startContainer());
  const addresses = ENGINES.map(({ address, containerAddress }, index) => [
    address,
    containerAddress(started[index]),
  ]);
  return { ...Object.fromEntries(addresses), stop };
}
