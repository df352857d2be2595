import { setTimeout as delay } from 'node:timers/promises';

/** No request for this long: busy keep-alive clients have reconnected elsewhere. */
const QUIET_MS = 250;
const LONGEST_MS = 1_000;
const LOOK_EVERY_MS = 25;

/**
 * Lets clients leave before their connections are closed, since a request that crosses the close is lost: from `begin`
 * on every answer asks its client to come back by a new connection, which a load balancer gives to another replica.
 */
export class Drain {
  private lastRequestAt = -Infinity;
  private begun = false;
  private over = false;

  constructor(private readonly quietMs = QUIET_MS) {}

  get isOn(): boolean {
    return this.begun;
  }

  /** Whether connections are closed now: one whose answer had begun before is to be closed when that has ended. */
  get isOver(): boolean {
    return this.over;
  }

  /** To be called for each request. */
  note(): void {
    this.lastRequestAt = performance.now();
  }

  /** Resolves when nothing has come for a while, after 1 s at most. */
  async begin(): Promise<void> {
    this.begun = true;
    const deadline = performance.now() + LONGEST_MS;
    while (performance.now() < Math.min(deadline, this.lastRequestAt + this.quietMs))
      await delay(LOOK_EVERY_MS);
    this.over = true;
  }
}
