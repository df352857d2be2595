import {
  Counter,
  Gauge,
  Histogram,
  Registry,
  collectDefaultMetrics,
  type CounterConfiguration,
  type GaugeConfiguration,
  type HistogramConfiguration,
} from 'prom-client';

/** The metrics that a process shows on `/metrics`: its own and those of Node, all labelled with `service`. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** The registry's metric of that name, created on first use: services of one process share a registry. */
export function counter<L extends string>(registry: Registry, options: CounterConfiguration<L>): Counter<L> {
  const known = registry.getSingleMetric(options.name) as Counter<L> | undefined;
  return known ?? new Counter({ ...options, registers: [registry] });
}

/** Like `counter`. */
export function histogram<L extends string>(
  registry: Registry,
  options: HistogramConfiguration<L>,
): Histogram<L> {
  const known = registry.getSingleMetric(options.name) as Histogram<L> | undefined;
  return known ?? new Histogram({ ...options, registers: [registry] });
}

/** Like `counter`; the `collect` function of the first call stays. */
export function gauge<L extends string>(registry: Registry, options: GaugeConfiguration<L>): Gauge<L> {
  const known = registry.getSingleMetric(options.name) as Gauge<L> | undefined;
  return known ?? new Gauge({ ...options, registers: [registry] });
}
