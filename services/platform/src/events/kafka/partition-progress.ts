/** What may be committed of a partition: everything before `offset` is dealt with. */
export interface PartitionCommit {
  offset: number;
  /** Failures so far of what is not dealt with, by offset; for the member that has the partition next. */
  metadata: string;
}

/** Kafka stores 4 KiB of metadata with an offset. */
const REMEMBERED_FAILURES = 100;

/**
 * How far one partition has been handled. Events are dealt with in any order; committed is only what has nothing open
 * before it. Offsets are safe as numbers below 2^53.
 */
export class PartitionProgress {
  /** Before this offset nothing is fetched again, unless the partition has gone back. */
  resolved = 0;
  private readonly open = new Map<number, OpenEvent>();
  private next: number | undefined;
  private committed = '';
  private waiting: { limit: number; resolve: () => void }[] = [];

  /** How many events have been taken and not been dealt with. */
  get openCount(): number {
    return this.open.size;
  }

  /** When the oldest open event was published, in milliseconds since the epoch. */
  get oldestAt(): number | undefined {
    const [oldest] = this.open.values();
    return oldest?.publishedAt;
  }

  /** Takes an event up, in the order of offsets; false for one that was taken before. */
  take(offset: number, publishedAt: number, failures = 0): boolean {
    if (this.next !== undefined && offset < this.next) return false;
    this.next = offset + 1;
    this.open.set(offset, { failures, publishedAt });
    return true;
  }

  noteFailures(offset: number, failures: number): void {
    const event = this.open.get(offset);
    if (event) event.failures = failures;
  }

  /** The event has been handled, has become a dead letter, or is none of ours. */
  done(offset: number): void {
    this.open.delete(offset);
    this.waiting = this.waiting.filter(({ limit, resolve }) => {
      if (this.open.size > limit) return true;
      resolve();
      return false;
    });
  }

  /** Resolves when at most `limit` events are open. */
  downTo(limit: number): Promise<void> {
    if (this.open.size <= limit) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ limit, resolve }));
  }

  /** What is to be committed, unless that has been done. */
  get uncommitted(): PartitionCommit | undefined {
    if (this.next === undefined) return undefined;
    const [first] = this.open.keys();
    const failures = [...this.open].map(([offset, event]) => [offset, event.failures] as const);
    const failed = failures.filter(([, count]) => count > 0).slice(0, REMEMBERED_FAILURES);
    const commit = {
      offset: first ?? this.next,
      metadata: failed.length > 0 ? JSON.stringify(Object.fromEntries(failed)) : '',
    };
    return this.committed === nameOf(commit) ? undefined : commit;
  }

  markCommitted(commit: PartitionCommit): void {
    this.committed = nameOf(commit);
  }
}

interface OpenEvent {
  failures: number;
  publishedAt: number;
}

const nameOf = ({ offset, metadata }: PartitionCommit) => `${offset} ${metadata}`;

/** Failures by offset as `PartitionCommit.metadata` tells them; nothing of what others may have written there. */
export function failuresIn(metadata: string | null): Map<number, number> {
  if (!metadata) return new Map();
  try {
    const entries = Object.entries(JSON.parse(metadata) as Record<string, unknown>);
    return new Map(entries.map(([offset, failures]) => [Number(offset), Number(failures) || 0]));
  } catch {
    return new Map();
  }
}
