import pg from 'pg';

export interface LimitedClientConfig extends pg.ClientConfig {
  /** Milliseconds after which a query without an answer ends its connection; 0 never does. */
  queryLimitMs: number;
  /** Milliseconds between questions to the server on a connection on which somebody waits for notifications. */
  heartbeatMs: number;
}

/**
 * A connection that ends by itself when the server does not answer in time. Only the server enforces a `statement_timeout`,
 * and one whose host has died closes no connection: without this a pool would keep such connections for ever. pg's own
 * `query_timeout` rejects the query, but leaves the connection in the pool. Here the connection is destroyed: all its
 * queries reject with the code ETIMEDOUT, its `error` event tells the holder, and the pool opens another one.
 */
export class LimitedClient extends pg.Client {
  private readonly limitMs: number;
  private readonly heartbeat: NodeJS.Timeout;
  private silence: NodeJS.Timeout | undefined;

  constructor(config: LimitedClientConfig) {
    super(config);
    this.limitMs = config.queryLimitMs;
    // Its queries reject with the error, too. A holder that does not listen must not end the process.
    this.on('error', () => undefined);
    this.connection.on('readyForQuery', () => {
      if (this.silence) this.awaitAnswer();
    });
    this.on('drain', () => this.answered());
    this.heartbeat = setInterval(() => this.ask(), config.heartbeatMs).unref();
    this.connection.once('end', () => {
      this.answered();
      clearInterval(this.heartbeat);
    });
  }

  override query(...args: never[]): never {
    if (!this.silence) this.awaitAnswer();
    return super.query(...(args as unknown as [string])) as never;
  }

  private awaitAnswer(): void {
    clearTimeout(this.silence);
    if (this.limitMs <= 0) return;
    const silence = setTimeout(() => {
      // After a pause of this process timers run before the answers that have arrived meanwhile are read.
      setImmediate(() => {
        if (this.silence === silence) this.giveUp();
      });
    }, this.limitMs).unref();
    this.silence = silence;
  }

  private answered(): void {
    clearTimeout(this.silence);
    this.silence = undefined;
  }

  private giveUp(): void {
    this.answered();
    const error = new Error(`PostgreSQL has not answered within ${this.limitMs} ms`);
    this.connection.stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }

  /** Who only listens sends nothing, and would never notice that nobody answers. */
  private ask(): void {
    if (this.silence || this.listenerCount('notification') === 0) return;
    // A failure is the connection's `error` event, too.
    (super.query('SELECT') as Promise<unknown>).catch(() => undefined);
    this.awaitAnswer();
  }
}
