import type { ConsistencyToken } from '../context/request-context.js';
import type { EventBus } from './event-bus.js';

/** Makes an rpc service wait, before it answers and at most `timeoutMs`, until its process's projections have its writes. */
export function awaitDelivery(
  bus: Pick<EventBus, 'delivered'>,
  timeoutMs: number,
): (tokens: readonly ConsistencyToken[]) => Promise<void> {
  return async (tokens) => void (await bus.delivered(tokens, timeoutMs));
}
