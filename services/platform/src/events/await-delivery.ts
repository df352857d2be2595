import type { ConsistencyToken } from '../context/request-context.js';
import type { EventBus } from './event-bus.js';

/** The longest time that a write waits until this process's projections have handled it (HTTP-3). */
const DELIVERY_TIMEOUT_MS = 500;

/** Makes an rpc service wait, before it answers, until its writes are delivered in this process. */
export function awaitDelivery(
  bus: Pick<EventBus, 'delivered'>,
): (tokens: readonly ConsistencyToken[]) => Promise<void> {
  return async (tokens) => void (await bus.delivered(tokens, DELIVERY_TIMEOUT_MS));
}
