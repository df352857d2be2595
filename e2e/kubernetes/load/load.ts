import { randomBytes } from 'node:crypto';
import { ApiClient } from '../../support/api-client.js';
import { messageOnce } from '../../support/message-mix.js';
import { renewing, untilDue, writeBounded } from '../../support/paced-mix.js';
import {
  type Ledger,
  type Writer,
  Unanswered,
  followOnce,
  newLedger,
  renameOnce,
} from '../../support/write-mix.js';
import { Subscribers, withOneRetry } from './subscribers.js';

export interface LoadOptions {
  /** Requests a second, all kinds together. */
  perSecond: number;
  /** False where billing is away: nobody subscribes. */
  subscribes?: boolean;
}

export interface Load {
  /** So far: requests that failed although they were repeated once. */
  readonly failed: readonly string[];
  /** Ends it, and waits for the last answers. Rejects when a request was refused that is right. */
  stop(): Promise<LoadReport>;
}

export interface LoadReport {
  url: string;
  requests: number;
  /** Requests a second that were answered. */
  perSecond: number;
  /** Of those that were due, nobody was free to send. */
  unsent: number;
  retried: number;
  /** Each without an answer, or answered with 5xx, twice. */
  failed: string[];
  /** In ms, with the pause before a retry. */
  p50: number;
  p99: number;
  /** What was acknowledged. */
  names: string[];
  ledger: Ledger;
  subscribers: Subscribers;
}

/** Of 50 requests; the others read. */
const WRITES = { write: 9, message: 3, follow: 2, rename: 1, subscribe: 1 } as const;
type Kind = keyof typeof WRITES | 'read';
const TURN = 50;
const READS = ['/api/feed?limit=20', '/api/feed?limit=20', '/api/badges', '/api/me', '/api/conversations'];
const WRITERS = 30;
/** Of each user: reads that wait for their retry delay no others. */
const READERS = 4;
const POSTS = 150;
/** Before a retry where there was no answer, as a client has it. */
const PAUSE_MS = 1_000;
/** What is due for longer than this is given up. */
const LATE_MS = 3_000;
/** As many requests may be under way as are due in this time. */
const UNDER_WAY_S = 1.5;

/** What each request of a turn does: the writes stand apart from each other. */
const MIX: readonly Kind[] = (() => {
  const kinds = Object.entries(WRITES).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => kind as Kind),
  );
  const places = new Map(kinds.map((kind, index) => [Math.floor((index * TURN) / kinds.length), kind]));
  return Array.from({ length: TURN }, (_, place) => places.get(place) ?? 'read');
})();

/**
 * A steady load of what people do: two thirds read, the others write posts, likes, comments, messages, follows, names and subscriptions,
 * and sign up. Each client repeats a request once. Resolves when its users have signed up and it runs.
 */
export async function startLoad(url: string, { perSecond, subscribes = true }: LoadOptions): Promise<Load> {
  const prefix = `load-${randomBytes(3).toString('hex')}`;
  const names = Array.from({ length: WRITERS }, (_, index) => `${prefix}-${index}`);
  const clients: ApiClient[] = [];
  for (const name of names) clients.push(await new ApiClient(url).signUp(name));
  const coach = await new ApiClient(url).signUp(`${prefix}-coach`, { isCoach: true });
  const ledger = newLedger();
  const people = new Map(clients.map((client, index) => [names[index]!, client.userId]));
  const figures = { requests: 0, unsent: 0, retried: 0 };
  const failed: string[] = [];
  const latencies: number[] = [];
  const onRetry = () => void (figures.retried += 1);
  const sendAs = (client: ApiClient) => withOneRetry(client, PAUSE_MS, onRetry);
  const subscribers = new Subscribers(url, prefix, coach, sendAs);

  /** A client for each kind of each user: one that waits for an event must not delay those that need none. */
  const writer = (client: ApiClient, index: number): Writer => {
    const own = Object.assign(new ApiClient(url), { userId: client.userId });
    const send = renewing(client, names[index]!, own, sendAs(own));
    return { name: names[index]!, send, ledger, repeats: () => false };
  };
  const free: Record<Exclude<Kind, 'subscribe'>, Writer[]> = {
    write: clients.map(writer),
    message: clients.map(writer),
    follow: clients.map(writer),
    rename: clients.map(writer),
    read: Array.from({ length: READERS }, () => clients.map(writer)).flat(),
  };

  const act = async (kind: Kind, count: number): Promise<boolean> => {
    if (kind === 'subscribe') return subscribers.act(subscribes).then(() => true);
    const one = free[kind].shift();
    if (!one) return false;
    try {
      if (kind === 'write') await writeBounded(one, count, POSTS);
      else if (kind === 'message') await messageOnce(one, people, count);
      else if (kind === 'follow') await followOnce(one, people);
      else if (kind === 'rename') await renameOnce(one);
      else expect((await one.send('GET', READS[count % READS.length]!)).status).toBe(200);
    } finally {
      free[kind].push(one);
    }
    return true;
  };

  let over = false;
  let failure: Error | undefined;
  let slots = 0;
  const startedAt = performance.now();
  const loop = async () => {
    while (!over && !failure) {
      const slot = slots++;
      const due = startedAt + (slot * 1000) / perSecond;
      await untilDue(due);
      if (performance.now() - due > LATE_MS) {
        figures.unsent += 1;
        continue;
      }
      const sentAt = performance.now();
      try {
        if (await act(MIX[slot % TURN]!, slot)) {
          figures.requests += 1;
          latencies.push(performance.now() - sentAt);
        } else figures.unsent += 1;
      } catch (error) {
        if (error instanceof Unanswered) failed.push(error.message);
        else failure ??= error as Error;
      }
    }
  };
  const loops = Promise.all(Array.from({ length: Math.ceil(perSecond * UNDER_WAY_S) }, loop));
  return {
    failed,
    async stop() {
      over = true;
      await loops;
      if (failure) throw failure;
      const seconds = (performance.now() - startedAt) / 1000;
      latencies.sort((a, b) => a - b);
      const quantile = (share: number) => Math.round(latencies[Math.floor(latencies.length * share)] ?? 0);
      return {
        ...{ url, ...figures, failed, names, ledger, subscribers },
        perSecond: Math.round((figures.requests / seconds) * 10) / 10,
        ...{ p50: quantile(0.5), p99: quantile(0.99) },
      };
    },
  };
}
