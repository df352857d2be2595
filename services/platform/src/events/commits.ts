import type { Topic } from '@pulso/contracts/topics/topic';
import { recordWrite } from '../context/request-context.js';
import type { Clock } from '../time/clock.js';
import type { OutboxRelay } from './outbox.js';
import type { SeenTokens } from './seen-tokens.js';

/** As old as a write may be for `Pulso-After` to carry it. What is older has been delivered long ago. */
const CARRIED_MS = 60_000;

/**
 * What follows the commit of a state, for both stores: the caller's next request will see it, and the relay publishes
 * it. The stores' write mechanisms call this; use cases never do.
 */
export class Commits {
  constructor(
    private readonly relay: Pick<OutboxRelay, 'nudge'>,
    private readonly seen: SeenTokens,
    private readonly clock: Clock,
  ) {}

  /** The state was committed just now. */
  committed<T>(topic: Topic<T>, state: T): void {
    const mark = { topic: topic.name, key: topic.keyOf(state), version: topic.versionOf(state) };
    recordWrite(mark);
    this.seen.add(mark);
    this.relay.nudge();
  }

  /**
   * The caller asked for a state that was there already. Their next request must see it, too: the answer of the request
   * that wrote it may have been lost.
   */
  stands<T>(topic: Topic<T>, state: T): void {
    const version = topic.versionOf(state);
    if (version < (this.clock.now() - CARRIED_MS) * 1000) return;
    recordWrite({ topic: topic.name, key: topic.keyOf(state), version });
  }
}
