import { setTimeout as delay } from 'node:timers/promises';

/** No request for this long: busy keep-alive clients have reconnected elsewhere. */
const QUIET_MS = 250;
const MAX_DRAIN_MS = 1_000;
const CHECK_EVERY_MS = 25;

/**
 * Asks clients to reconnect (`Connection: close` in every answer from `begin` on) before connections are closed, so that
 * no request is lost. A load balancer gives the new connection to another replica.
 */
export class Drain {
  private lastRequestAt = -Infinity;
  private begun = false;
  private over = false;

  constructor(private readonly quietMs = QUIET_MS) {}

  get isOn(): boolean {
    return this.begun;
  }

  /** Whether connections are closed now. One whose answer is still on its way is closed after that answer. */
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
    const deadline = performance.now() + MAX_DRAIN_MS;
    while (performance.now() < Math.min(deadline, this.lastRequestAt + this.quietMs))
      await delay(CHECK_EVERY_MS);
    this.over = true;
  }
}
