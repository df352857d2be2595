import { setTimeout as delay } from 'node:timers/promises';
import type { EventBus } from '../event-bus.js';
import type { OutboxRelay } from './outbox.js';

/**
 * Resolves when all outboxes are empty and every delivery is handled, including events that handlers published. For tests and
 * for a clean stop. Rejects after `timeoutMs` with the numbers of remaining deliveries and states.
 */
export async function drainEvents(options: {
  relays: readonly OutboxRelay[];
  bus: Pick<EventBus, 'pending'>;
  timeoutMs?: number;
}): Promise<void> {
  const { relays, bus, timeoutMs = 60_000 } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    await Promise.all(relays.map((relay) => relay.drain()));
    const deliveries = await bus.pending();
    const depths = await Promise.all(relays.map((relay) => relay.depth()));
    const unpublished = depths.reduce((sum, depth) => sum + depth, 0);
    if (deliveries === 0 && unpublished === 0) return;
    if (performance.now() > deadline) {
      throw new Error(
        `Still ${deliveries} deliveries and ${unpublished} unpublished states after ${timeoutMs} ms`,
      );
    }
    await delay(5);
  }
}
