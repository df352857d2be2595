export interface NudgedTopicsOptions {
  /** All topics of the source; undefined if each reading reads all of them anyway. */
  topics: readonly string[] | undefined;
  /** How often all of them are read at least. */
  allEveryMs: number;
  /** Milliseconds that only grow. */
  now(): number;
}

/**
 * Which topics of an outbox the next pass need not read: most passes follow a commit of one topic, and each further
 * collection costs a query. What other replicas have left there, and what has failed, is found by passes that read all.
 */
export class NudgedTopics {
  private readonly named = new Set<string>();
  private all = true;
  private allReadAt = -Infinity;

  constructor(private readonly options: NudgedTopicsOptions) {}

  /** A state of the topic was committed; undefined if it may be any. */
  add(topic: string | undefined): void {
    if (topic === undefined) this.all = true;
    else this.named.add(topic);
  }

  /** The topics that the pass which begins now leaves out; the next pass needs new nudges. `mayLeave` is false for none. */
  unread(mayLeave: boolean): readonly string[] {
    const { topics = [], allEveryMs, now } = this.options;
    const named = new Set(this.named);
    // A pass without a nudge looks for what nobody has told.
    const some = mayLeave && !this.all && named.size > 0 && now() - this.allReadAt < allEveryMs;
    this.named.clear();
    this.all = false;
    if (some) return topics.filter((topic) => !named.has(topic));
    this.allReadAt = now();
    return [];
  }
}
