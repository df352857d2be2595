import type { WriteMark } from '../context/request-context.js';
import type { EventBus } from './event-bus.js';

/** The longest a write waits for this process's projections to have seen it (design.md, "Read your own writes"). */
const SETTLE_TIMEOUT_MS = 500;

/** What an rpc service does with marks before it answers: it waits for local delivery. */
export function settleWrites(bus: Pick<EventBus, 'settled'>): (marks: readonly WriteMark[]) => Promise<void> {
  return async (marks) => void (await bus.settled(marks, SETTLE_TIMEOUT_MS));
}
