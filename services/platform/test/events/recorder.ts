import { PostState } from '@pulso/contracts/posts/v1/events';
import type { Consumer, EventRecord } from '../../src/events/event-bus.js';
import { eventOf } from '../../src/events/event-record.js';
import type { StartPoints } from '../../src/events/start-points.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import { until } from '../../testing/until.js';

export const aPost = (fields: Partial<PostState> = {}): PostState =>
  PostState.fromPartial({
    id: 'post-1',
    version: 1,
    authorId: 'ada',
    createdAt: 1_700_000_000_000,
    ...fields,
  });

export const postEvent = (id: string, version = 1): EventRecord => eventOf(postTopic, aPost({ id, version }));

export const tokenOf = ({ topic, key, version }: EventRecord) => ({ topic, key, version });

/** Joining a group of a busy broker takes long; below Jest's own limit. */
const RECEIVE_LIMIT_MS = 100_000;

/** A consumer of posts that records the handled events, in order, and lets tests wait for them. */
export class Recorder implements Consumer<PostState> {
  readonly topic = postTopic;
  readonly handled: string[] = [];
  readonly states: PostState[] = [];
  attempts = 0;
  keepStart?: Consumer<PostState>['keepStart'];
  private waiting: { count: number; resolve: () => void }[] = [];

  constructor(
    readonly group: string,
    private readonly options: {
      before?: (state: PostState, event: EventRecord) => Promise<void> | void;
      reaction?: boolean;
      formerGroups?: readonly string[];
    } = {},
  ) {}

  get reaction(): boolean | undefined {
    return this.options.reaction;
  }

  get formerGroups(): readonly string[] | undefined {
    return this.options.formerGroups;
  }

  async handle(state: PostState, event: EventRecord): Promise<void> {
    this.attempts += 1;
    await this.options.before?.(state, event);
    this.states.push(state);
    this.handled.push(`${event.key}@${event.version}`);
    this.waiting = this.waiting.filter(({ count, resolve }) => {
      if (this.handled.length < count) return true;
      resolve();
      return false;
    });
  }

  /** Resolves when `count` events have been handled in all. */
  received(count: number): Promise<void> {
    const enough = () => this.handled.length >= count;
    if (enough()) return Promise.resolve();
    // The promise resolves within the handler's turn, as some tests need; `until` ends the wait if it never does.
    const noticed = new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
    const what = () => `${count} events handled by ${this.group}; it has handled ${this.handled.length}`;
    return Promise.race([noticed, until(enough, { what, limit: RECEIVE_LIMIT_MS }).then(() => undefined)]);
  }
}

/** Start points that live as long as a fixture. */
export function memoryStartPoints(): StartPoints {
  const kept = new Map<string, readonly number[]>();
  return {
    keep: async (group, topic, offsets, formerGroups = []) => {
      const name = `${group} ${topic}`;
      const former = formerGroups.map((old) => kept.get(`${old} ${topic}`)).find((found) => found);
      const isNew = !kept.has(name) && !former;
      if (!kept.has(name)) kept.set(name, former ?? offsets);
      return { offsets: kept.get(name)!, isNew };
    },
  };
}
