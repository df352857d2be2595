import pg from 'pg';

export interface LimitedClientConfig extends pg.ClientConfig {
  /** Milliseconds after which the server cancels a statement; 0 never does. Then the client waits without a limit, too. */
  statement_timeout: number;
  /** Milliseconds that the client waits for an answer after that; then it ends the connection. */
  graceMs: number;
}

/** How long a connection that has said goodbye may wait for the server to hang up, too. */
const GOODBYE_MS = 1_000;
/** Statements that give the connection another `statement_timeout`. */
const SETS_TIMEOUT = /^\s*SET (LOCAL )?statement_timeout = (\d+)\s*;?\s*$/i;
const RESETS_TIMEOUT = /^\s*RESET statement_timeout\s*;?\s*$/i;
const NO_TRANSACTION = 'I';

/**
 * A connection that ends by itself when the server does not answer in time. Only the server enforces a `statement_timeout`,
 * and one whose host has died closes no connection: without this a pool would keep such connections for ever. pg's own
 * `query_timeout` rejects the query, but leaves the connection in the pool. Here the connection is destroyed: all its
 * queries reject with the code ETIMEDOUT, its `error` event tells the holder, and the pool opens another one.
 *
 * A `SET statement_timeout`, a `SET LOCAL` until the transaction's end, and a `RESET` change this limit, too.
 */
export class LimitedClient extends pg.Client {
  private silence: NodeJS.Timeout | undefined;
  private sessionTimeoutMs: number;
  private transactionTimeoutMs: number | undefined;

  constructor(private readonly config: LimitedClientConfig) {
    super(config);
    this.sessionTimeoutMs = config.statement_timeout;
    // Its queries reject with the error, too. A holder that does not listen must not end the process.
    this.on('error', () => undefined);
    this.connection.on('readyForQuery', ({ status }: { status: string }) => {
      if (status === NO_TRANSACTION) this.transactionTimeoutMs = undefined;
      if (this.silence) this.awaitAnswer();
    });
    this.on('drain', () => this.answered());
    this.connection.once('end', () => this.answered());
  }

  override query(...args: never[]): never {
    const [query] = args as unknown as [string | { text?: string }];
    this.followTimeout((typeof query === 'string' ? query : query.text) ?? '');
    if (!this.silence) this.awaitAnswer();
    return super.query(...(args as unknown as [string])) as never;
  }

  override end(...args: never[]): never {
    const hangUp = setTimeout(() => this.connection.stream.destroy(), GOODBYE_MS).unref();
    this.connection.once('end', () => clearTimeout(hangUp));
    return super.end(...(args as unknown as [])) as never;
  }

  private followTimeout(text: string): void {
    const [, local, timeout] = SETS_TIMEOUT.exec(text) ?? [];
    if (timeout !== undefined) {
      if (local) this.transactionTimeoutMs = Number(timeout);
      else this.sessionTimeoutMs = Number(timeout);
    } else if (RESETS_TIMEOUT.test(text)) this.sessionTimeoutMs = this.config.statement_timeout;
  }

  private awaitAnswer(): void {
    this.answered();
    const timeoutMs = this.transactionTimeoutMs ?? this.sessionTimeoutMs;
    if (timeoutMs === 0) return;
    const limitMs = timeoutMs + this.config.graceMs;
    const silence = setTimeout(() => {
      // After a pause of this process timers run before the answers that have arrived meanwhile are read.
      setImmediate(() => {
        if (this.silence === silence) this.giveUp(limitMs);
      });
    }, limitMs).unref();
    this.silence = silence;
  }

  private answered(): void {
    clearTimeout(this.silence);
    this.silence = undefined;
  }

  private giveUp(limitMs: number): void {
    this.answered();
    const error = new Error(`PostgreSQL has not answered within ${limitMs} ms`);
    this.connection.stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }
}
