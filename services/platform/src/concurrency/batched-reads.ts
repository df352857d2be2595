interface Waiting<V> {
  resolve(value: V | undefined): void;
  reject(error: unknown): void;
}

/**
 * Combines point reads of many requests into one query. A read joins only a query that has not been sent yet, so it sees
 * every write that was acknowledged before it, as a separate query would. One query runs at a time: the busier the
 * process, the more reads share one (a driver round trip costs more than the rest of a feed page).
 */
export class BatchedReads<V> {
  private waiting = new Map<string, Waiting<V>[]>();
  private running = false;

  constructor(
    private readonly readAll: (keys: string[]) => Promise<Map<string, V>>,
    private readonly maxKeys = 500,
  ) {}

  read(key: string): Promise<V | undefined> {
    return new Promise((resolve, reject) => {
      const others = this.waiting.get(key);
      if (others) others.push({ resolve, reject });
      else this.waiting.set(key, [{ resolve, reject }]);
      if (!this.running) {
        this.running = true;
        // Runs after the sockets of this event loop turn have been read, so that their reads join the query.
        setImmediate(() => void this.run());
      }
    });
  }

  private async run(): Promise<void> {
    while (this.waiting.size > 0) {
      const batch = this.take();
      try {
        const values = await this.readAll([...batch.keys()]);
        for (const [key, readers] of batch) for (const { resolve } of readers) resolve(values.get(key));
      } catch (error) {
        for (const readers of batch.values()) for (const { reject } of readers) reject(error);
      }
    }
    this.running = false;
  }

  private take(): Map<string, Waiting<V>[]> {
    const all = this.waiting;
    this.waiting = new Map();
    if (all.size <= this.maxKeys) return all;
    const batch = new Map([...all].slice(0, this.maxKeys));
    this.waiting = new Map([...all].slice(this.maxKeys));
    return batch;
  }
}
