/** A partition's commit: all events before `offset` are done. */
export interface PartitionCommit {
  offset: number;
  /** Failures so far of the open events, by offset; for the next member that gets the partition. */
  metadata: string;
}

/** Kafka stores 4 KiB of metadata with an offset. */
const REMEMBERED_FAILURES = 100;

/**
 * The progress of handling one partition. Events are done in any order; the committed offset never passes an open event.
 * Offsets below 2^53 are safe as numbers.
 */
export class PartitionProgress {
  /** Offsets below this are not fetched again, unless the brokers have lost events. */
  resolved = 0;
  private readonly open = new Map<number, OpenEvent>();
  private next: number | undefined;
  private committed = '';
  private waiting: { limit: number; resolve: () => void }[] = [];

  /** When the oldest open event was published, in milliseconds since the epoch. */
  get oldestAt(): number | undefined {
    const [oldest] = this.open.values();
    return oldest?.publishedAt;
  }

  /** Takes an event, in the order of offsets; returns false if it was taken before. */
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

  /** Called when the event has been handled, has become a dead letter, or is not one of our events. */
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

  /** The commit to make, or undefined if it has been made. */
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

/** Reads failures by offset from `PartitionCommit.metadata`; empty if the metadata was not written by us. */
export function failuresIn(metadata: string | null): Map<number, number> {
  if (!metadata) return new Map();
  try {
    const entries = Object.entries(JSON.parse(metadata) as Record<string, unknown>);
    return new Map(entries.map(([offset, failures]) => [Number(offset), Number(failures) || 0]));
  } catch {
    return new Map();
  }
}
