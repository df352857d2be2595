import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@pulso/platform/time/clock';

/**
 * The clock of a Pulso that is being seeded: what `at` runs happens at a time in the past, everything else now. Only
 * the launcher has it, so no client can write into the past.
 */
export class SeedClock implements Clock {
  private readonly past = new AsyncLocalStorage<number>();

  now(): number {
    return this.past.getStore() ?? Date.now();
  }

  elapsed(): number {
    return performance.now();
  }

  datedBack(): number | undefined {
    return this.past.getStore();
  }

  at<T>(time: number, run: () => T): T {
    return this.past.run(time, run);
  }
}
