import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pulso/platform/testing/until';
import { ApiClient } from './api-client.js';
import { messageOnce } from './message-mix.js';
import {
  type Ledger,
  type Writer,
  Unanswered,
  followOnce,
  patiently,
  renameOnce,
  writeOnce,
} from './write-mix.js';

/** The service that receives the writes. */
export type Area = 'posts' | 'social' | 'identity' | 'messaging';

const PAUSE_MS: Record<Area, number> = { posts: 60, social: 100, identity: 250, messaging: 60 };

/** Writers that continue through every fault, like users with the product open. */
export class RunningMix {
  readonly acknowledged: Record<Area, number> = { posts: 0, social: 0, identity: 0, messaging: 0 };
  readonly unanswered: Record<Area, string[]> = {
    ...{ posts: [], social: [], identity: [], messaging: [] },
  };
  private over = false;
  private readonly writing: Promise<void>[] = [];
  private failure: Error | undefined;

  private constructor(private readonly ledger: Ledger) {}

  /** All `names` must have signed up. */
  static async start(url: string, names: readonly string[], ledger: Ledger): Promise<RunningMix> {
    const mix = new RunningMix(ledger);
    const clients = await Promise.all(names.map((name) => new ApiClient(url).logIn(name)));
    const people = new Map(clients.map((client, index) => [names[index]!, client.userId]));
    for (const [index, client] of clients.entries()) {
      // A client per area: one that has to wait for an event must not delay writes that need none.
      const writer = (): Writer => {
        const own = Object.assign(new ApiClient(url), { accessToken: client.accessToken });
        return { name: names[index]!, send: patiently(own), ledger: mix.ledger, repeats: () => !mix.over };
      };
      const [author, follower, person, sender] = [writer(), writer(), writer(), writer()];
      mix.run('posts', (count) => writeOnce(author, count));
      mix.run('social', () => followOnce(follower, people));
      mix.run('identity', () => renameOnce(person));
      mix.run('messaging', (count) => messageOnce(sender, people, count));
    }
    return mix;
  }

  /** Resolves when `count` more writes of each area have been acknowledged; rejects after `timeoutMs`. */
  async progress(count: number, timeoutMs: number): Promise<void> {
    const areas = Object.keys(this.acknowledged) as Area[];
    const goals = areas.map((area) => [area, this.acknowledged[area] + count] as const);
    const missing = () => goals.filter(([area, goal]) => this.acknowledged[area] < goal);
    const last = () => missing().map(([area]) => `${area} (${this.unanswered[area].at(-1) ?? 'no answer'})`);
    const hasProgressed = () => {
      if (this.failure) throw this.failure;
      return missing().length === 0;
    };
    await until(hasProgressed, {
      what: () => `${count} more writes of ${last().join(', ')}`,
      limit: timeoutMs,
    });
  }

  /** Ends the writers; rejects with the failure of one of them, except missing responses. */
  async stop(): Promise<void> {
    this.over = true;
    await Promise.all(this.writing);
    if (this.failure) throw this.failure;
  }

  private run(area: Area, write: (count: number) => Promise<void>): void {
    const loop = async () => {
      for (let count = 0; !this.over; count += 1) {
        try {
          await write(count);
          this.acknowledged[area] += 1;
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          this.unanswered[area].push(error.message);
        }
        await delay(PAUSE_MS[area]);
      }
    };
    this.writing.push(
      loop().catch((error: unknown) => {
        this.failure ??= error as Error;
      }),
    );
  }
}
