interface Waiting<V> {
  resolve(value: V | undefined): void;
  reject(error: unknown): void;
}

/**
 * Point reads of many requests in one query. A read joins only a query that has not been sent yet, so it sees all that
 * was acknowledged before it was asked for, exactly as a query of its own would. One query is under way at a time:
 * the busier the process, the more share one (a driver round trip costs more than all the rest of a feed page).
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
        // After the sockets of this turn of the loop have been read: what they ask for comes along.
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
