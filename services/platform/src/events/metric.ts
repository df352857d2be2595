import type { Metric, Registry } from 'prom-client';

/** The registry's metric `name`, created at first use: several relays or buses of a process share one registry. */
export function metric<M extends Metric>(
  registry: Registry | undefined,
  name: string,
  create: (name: string, registers: Registry[]) => M,
): M | undefined {
  if (!registry) return undefined;
  return (registry.getSingleMetric(name) as M | undefined) ?? create(name, [registry]);
}
