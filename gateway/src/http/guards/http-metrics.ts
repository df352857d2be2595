import { counter, type createRegistry, gauge, histogram } from '@pulso/platform/telemetry/metrics';
import type { EventLoopGuard } from './event-loop-guard.js';

export type Registry = ReturnType<typeof createRegistry>;

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export class HttpMetrics {
  private readonly seconds;
  private readonly refusals;

  constructor(registry: Registry, guard: EventLoopGuard) {
    this.seconds = histogram(registry, {
      name: 'pulso_http_request_duration_seconds',
      help: 'Time to answer a request, by method, route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
    });
    this.refusals = counter(registry, {
      name: 'pulso_http_refusals_total',
      help: 'Requests refused because of the load; they are among those with the status 503, too',
    });
    gauge(registry, {
      name: 'pulso_event_loop_delay_seconds',
      help: 'Delay of the event loop at the last sample; the gateway refuses requests while it stays over its limit',
      collect() {
        this.set(guard.delay / 1000);
      },
    });
  }

  answered(method: string, route: string, status: number, milliseconds: number): void {
    this.seconds.observe({ method, route, status }, milliseconds / 1000);
  }

  refused(): void {
    this.refusals.inc();
  }
}
