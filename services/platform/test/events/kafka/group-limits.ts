import type { GroupLimits } from '../../../src/events/kafka/consumer-group.js';

/**
 * For tests that kill members: the brokers notice it after 2 s. A member that a busy machine holds up for so long is taken for
 * dead, too, and joins again.
 */
export const SOON_DEAD: GroupLimits = {
  session: 2_000,
  heartbeat: 200,
  fetch: 200,
  rebalance: 4_000,
  leave: 1_000,
};
