import type { Topic } from '@pulso/contracts/topics/topic';
import { type ConsistencyToken, recordWrite } from '../../context/request-context.js';
import type { Clock } from '../../time/clock.js';
import type { OutboxRelay } from './outbox.js';
import type { KnownTokens } from '../known-tokens.js';

/** `Pulso-After` carries writes up to this age. Older writes have been delivered long ago. */
const CARRIED_MS = 60_000;

/**
 * Called after the commit of a state, in both stores: records the write, so that the caller's next request sees it, and
 * nudges the relay, which publishes it. The stores' write mechanisms call `committed`; use cases never do.
 */
export class Commits {
  private readonly listeners: ((token: ConsistencyToken) => void)[] = [];

  constructor(
    private readonly relay: Pick<OutboxRelay, 'nudge'>,
    private readonly known: KnownTokens,
    private readonly clock: Clock,
  ) {}

  /** The state was committed just now. */
  committed<T>(topic: Topic<T>, state: T): void {
    const token = { topic: topic.name, key: topic.keyOf(state), version: topic.versionOf(state) };
    recordWrite(token);
    this.known.add(token);
    this.relay.nudge(topic.name);
    for (const listener of this.listeners) listener(token);
  }

  /** `listener` is called after each commit, with each state that it has written; it must be cheap, and never throw. */
  onCommit(listener: (token: ConsistencyToken) => void): void {
    this.listeners.push(listener);
  }

  /**
   * The caller asked for a state that existed already. Their next request must see it too: the answer to the request
   * that wrote it may have been lost, or have gone to another page of theirs. Also for a read that shows the state, where
   * what is read next in other services must not be older.
   */
  recordUnchanged<T>(topic: Topic<T>, state: T): void {
    const version = topic.versionOf(state);
    if (version < (this.clock.now() - CARRIED_MS) * 1000) return;
    const token = { topic: topic.name, key: topic.keyOf(state), version };
    recordWrite(token);
    // Written by another process, which could not wake the relay: the caller would wait until it polls.
    if (!this.known.has(token)) this.relay.nudge(topic.name);
  }
}
