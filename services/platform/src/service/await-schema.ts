import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '../process/start-error.js';
import type { Store, StoreTarget } from './store.js';

/** How long a migration on another machine is waited for; whoever runs the command may begin it again. */
const LIMIT_MS = 10 * 60_000;
const BETWEEN_MS = 2_000;

interface SchemaWait {
  /** Told once what is waited for, and again when that changes. */
  onWait: (reason: string) => void;
  limitMs?: number;
  betweenMs?: number;
}

/**
 * Resolves when the database has this version's schema, by the check that a process of the service makes when it starts. Rejects
 * with StartError, which says what was missing last, after 10 minutes without it.
 */
export async function awaitSchema(
  store: Pick<Store, 'assertReady'>,
  target: StoreTarget,
  { onWait, limitMs = LIMIT_MS, betweenMs = BETWEEN_MS }: SchemaWait,
): Promise<void> {
  const end = performance.now() + limitMs;
  for (let told: string | undefined; ;) {
    const reason = await missingIn(store, target);
    if (reason === undefined) return;
    if (performance.now() + betweenMs > end) {
      throw new StartError(`waited ${Math.round(limitMs / 1_000)} s for the schema in vain. ${reason}`);
    }
    if (reason !== told) onWait(reason);
    told = reason;
    await pause(betweenMs);
  }
}

async function missingIn(
  store: Pick<Store, 'assertReady'>,
  target: StoreTarget,
): Promise<string | undefined> {
  try {
    await store.assertReady(target);
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}
