import { type Counter, type Histogram, Registry } from 'prom-client';
import { counter, histogram } from '../telemetry/metrics.js';
import type { EventRecord } from './event-bus.js';

type Labels = 'group' | 'topic';

const labelNames: Labels[] = ['group', 'topic'];
const DELAY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The delivery metrics of every bus. */
export class BusMetrics {
  private readonly failures: Counter<Labels>;
  private readonly deadLetters: Counter<Labels>;
  private readonly delay: Histogram<Labels>;

  constructor(registry: Registry = new Registry()) {
    this.failures = counter(registry, {
      name: 'pulso_events_failed_total',
      help: 'Deliveries that failed and are retried',
      labelNames,
    });
    this.deadLetters = counter(registry, {
      name: 'pulso_events_dead_lettered_total',
      help: 'Events given up on, kept as dead letters',
      labelNames,
    });
    this.delay = histogram(registry, {
      name: 'pulso_events_delay_seconds',
      help: 'Time from the commit of a state to the end of its handling',
      labelNames,
      buckets: DELAY_BUCKETS,
    });
  }

  /** Sets both counters to 0: a counter that first appears at its first failure shows no increase. */
  consumes(group: string, topic: string): void {
    for (const count of [this.failures, this.deadLetters]) count.inc({ group, topic }, 0);
  }

  /** A version is the time of its commit in microseconds (version.ts). Republished events are old, so they do not count. */
  handled(group: string, { topic, version, republished }: EventRecord, now: number): void {
    if (republished) return;
    this.delay.observe({ group, topic }, Math.max(0, now - version / 1000) / 1000);
  }

  failed(group: string, topic: string): void {
    this.failures.inc({ group, topic });
  }

  deadLettered(group: string, topic: string): void {
    this.deadLetters.inc({ group, topic });
  }
}
