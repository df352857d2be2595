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
import { within } from '../time/within.js';

/**
 * Node measures the delay of the event loop by a timer that wakes the process so often, and counts its pause as delay. prom-client
 * takes 10 ms, which is most of what an idle process does.
 */
const EVENT_LOOP_SAMPLES_MS = 100;

/** The metrics that a process shows on `/metrics`: its own and those of Node, all labelled with `service`. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLES_MS });
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

/** How long a page of metrics waits for one of its gauges. */
const COLLECT_LIMIT_MS = 2_000;

/**
 * Like `counter`; the `collect` function of the first call stays. While it rejects, throws or takes longer than 2 s the page
 * has all other metrics and not this one, and `pulso_metric_failures_total` counts it.
 */
export function gauge<L extends string>(registry: Registry, options: GaugeConfiguration<L>): Gauge<L> {
  const known = registry.getSingleMetric(options.name) as Gauge<L> | undefined;
  if (known) return known;
  const { collect } = options;
  if (!collect) return new Gauge({ ...options, registers: [registry] });
  const failures = counter(registry, {
    name: 'pulso_metric_failures_total',
    help: 'Readings of a metric that failed, so that it was not shown',
    labelNames: ['metric'],
  });
  failures.inc({ metric: options.name }, 0);
  return new Gauge({
    ...options,
    registers: [registry],
    async collect() {
      try {
        const what = `reading ${options.name}`;
        // A failure that comes late belongs to a reading that is counted already.
        await within(
          COLLECT_LIMIT_MS,
          what,
          async () => collect.call(this),
          () => undefined,
        );
      } catch {
        failures.inc({ metric: options.name });
        this.reset();
        // A gauge without labels is 0 after a reset.
        if (!options.labelNames?.length) this.remove();
      }
    },
  });
}
