import type { ConsistencyToken } from '../context/request-context.js';
import type { EventBus } from './event-bus.js';

/** The longest a write waits for this process's projections to have seen it (HTTP-3). */
const SETTLE_TIMEOUT_MS = 500;

/** What an rpc service does with marks before it answers: it waits for local delivery. */
export function awaitDelivery(
  bus: Pick<EventBus, 'delivered'>,
): (marks: readonly ConsistencyToken[]) => Promise<void> {
  return async (marks) => void (await bus.delivered(marks, SETTLE_TIMEOUT_MS));
}
