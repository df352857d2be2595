import { setTimeout as delay } from 'node:timers/promises';
import type { ConsistencyToken } from '../../context/request-context.js';
import type { DeliveryStore } from './delivery-store.js';
import type { SubscriptionStore } from './subscription-store.js';

/** Milliseconds between questions whether another process has handled an event. */
const ASK_MS = 50;

/** Asks the store until the projections of the process that runs have handled all tokens; resolves to false after `timeoutMs`. */
export async function deliveredElsewhere(
  store: DeliveryStore,
  subscriptions: SubscriptionStore,
  tokens: readonly ConsistencyToken[],
  timeoutMs: number,
): Promise<boolean> {
  const projections = await subscriptions.projections(tokens.map(({ topic }) => topic));
  const groupsOf = (token: ConsistencyToken) =>
    projections.filter(({ topic }) => topic === token.topic).map(({ group }) => group);
  for (const until = performance.now() + timeoutMs; performance.now() < until; await delay(ASK_MS)) {
    const handled = await Promise.all(
      tokens.map(async (token) => {
        const groups = groupsOf(token);
        return groups.length === 0 || store.hasHandled(token, groups);
      }),
    );
    if (handled.every(Boolean)) return true;
  }
  return false;
}
