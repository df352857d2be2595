import type { Counter, Registry } from 'prom-client';
import { counter, gauge } from '../telemetry/metrics.js';
import type { ForeignCallRows } from './foreign-call-rows.js';
import type { Verdict } from './make-foreign-call.js';

/** Shows the calls that have not ended, of all replicas together, and counts the attempts of this process. */
export class ForeignCallMetrics {
  private readonly attempts: Counter<'kind' | 'result'>;

  /** `isKnown` tells whether this version of the service can make calls of a kind. */
  constructor(registry: Registry, rows: Pick<ForeignCallRows, 'open'>, isKnown: (kind: string) => boolean) {
    this.attempts = counter(registry, {
      name: 'pulso_foreign_call_attempts_total',
      help: 'Attempts at calls to foreign systems, by what was known afterwards',
      labelNames: ['kind', 'result'],
    });
    const open = async () => {
      const found = await rows.open();
      return found.map(({ kind, state, ...rest }) => {
        return { labels: { kind, state: isKnown(kind) ? state : 'unregistered' }, ...rest };
      });
    };
    const about =
      'calls to foreign systems that have not ended: pending, of unknown outcome, abandoned, or unregistered, so that nothing makes them';
    gauge(registry, {
      name: 'pulso_foreign_calls_open',
      help: `Number of ${about}`,
      labelNames: ['kind', 'state'],
      async collect() {
        const found = await open();
        this.reset();
        for (const { labels, count } of found) this.inc(labels, count);
      },
    });
    gauge(registry, {
      name: 'pulso_foreign_calls_oldest_seconds',
      help: `Age of the oldest of the ${about}`,
      labelNames: ['kind', 'state'],
      async collect() {
        const found = await open();
        this.reset();
        // The oldest of those with the same labels is set last.
        const byAge = found.toSorted((one, other) => one.oldestSeconds - other.oldestSeconds);
        for (const { labels, oldestSeconds } of byAge) this.set(labels, oldestSeconds);
      },
    });
  }

  attempted(kind: string, result: Verdict['is']): void {
    this.attempts.inc({ kind, result });
  }
}
