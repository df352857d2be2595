import type { Topic } from '@pulso/contracts/topics/topic';
import type { Clock } from '../time/clock.js';
import type { MarkedUser, MarkedUsers } from './marked-users.js';

/** How late this process may hear of a user whom another one has marked. */
const REREAD_MS = 5_000;
/** A transaction that commits late has a mark that is older than others which were read already. */
const OVERLAP_MS = 60_000;

/**
 * Keeps events of erased users from all consumers of a service: late ones, repeated ones and replayed dead letters (ACCT-34). It remembers
 * whom the store marks, some 100 bytes each.
 */
export class ErasureGate {
  private readonly erased = new Set<string>();
  private newest: number | undefined;
  private readAt = -Infinity;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly marked: MarkedUsers,
    private readonly clock: Pick<Clock, 'elapsed'>,
  ) {
    marked.onMark((userId) => this.erased.add(userId));
  }

  /** Whether a state is about a user who is erased. Rejects while the store cannot be asked: the event then comes again. */
  async refuses<T>(topic: Topic<T>, state: T): Promise<boolean> {
    const users = topic.usersOf(state);
    if (users.length === 0) return false;
    if (this.clock.elapsed() - this.readAt >= REREAD_MS) await this.read();
    return users.some((userId) => this.erased.has(userId));
  }

  private read(): Promise<void> {
    this.reading ??= this.readNew().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readNew(): Promise<void> {
    const begunAt = this.clock.elapsed();
    if (this.newest === undefined) for await (const one of this.marked.every()) this.remember(one);
    else for (const one of await this.marked.since(new Date(this.newest - OVERLAP_MS))) this.remember(one);
    this.newest ??= 0;
    this.readAt = begunAt;
  }

  private remember({ userId, markedAt }: MarkedUser): void {
    this.erased.add(userId);
    this.newest = Math.max(this.newest ?? 0, markedAt.getTime());
  }
}
