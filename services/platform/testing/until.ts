import { setTimeout as delay } from 'node:timers/promises';

/** Before Jest's own limit, so that a fact that never comes is named. */
const LIMIT_MS = 100_000;

/** Resolves when `fact` holds. Slow machines need long; the limit only ends what would never hold. */
export async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  for (const started = performance.now(); !(await fact()); await delay(2)) {
    if (performance.now() - started > LIMIT_MS) throw new Error(`Never became true: ${fact.toString()}`);
  }
}
