import { Pool, type Dispatcher } from 'undici';
import { MAX_HEADER_BYTES, PROBE_PATH, type KeepaliveOptions } from './connect-protocol.js';
import { MAX_MESSAGE_BYTES } from './service-definition.js';

/** Calls at one time; further ones wait for a connection until their deadline. */
const MAX_CONNECTIONS = 128;
const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter than servers keep an idle connection. */
const IDLE_CONNECTION_MS = 60_000;
/** A restarted replica is used again within a second. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const REQUEST_TIMEOUT = 408;

/**
 * One address of a service, and the kept connections to it. An address that cannot be reached, or says that it leaves, gets no
 * calls for a while. While it has calls or has just had some, and says nothing, it is asked whether it is there: if not, its
 * calls fail as `unavailable`.
 */
export class Replica {
  private pool: Pool;
  private usableAt = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private heardAt = performance.now();
  private calledAt = 0;
  private watch: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param address `host:port`, the host being an IP address */
  constructor(
    readonly address: string,
    private readonly authority: string,
    private readonly keepalive: KeepaliveOptions,
  ) {
    this.pool = this.newPool();
  }

  get isUsable(): boolean {
    return this.usableAt <= performance.now();
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.calledAt = performance.now();
    this.watch ??= setTimeout(() => void this.look(), this.keepalive.timeMs).unref();
    this.pool.dispatch(options, handler);
  }

  /** It answered with this status. */
  heard(status: number): void {
    this.heardAt = performance.now();
    if (status === REQUEST_TIMEOUT) return this.pause();
    this.pauseMs = FIRST_PAUSE_MS;
    this.usableAt = 0;
  }

  unreachable(): void {
    // All calls that waited for the same connection fail together.
    if (this.isUsable) this.pause();
  }

  /** A call has waited since then, in vain. If no other was answered either, later calls get new connections. */
  silentSince(since: number): void {
    if (this.heardAt > since || this.isClosed) return;
    const silent = this.pool;
    this.pool = this.newPool();
    this.heardAt = performance.now();
    void silent.close();
  }

  /** Running calls go on until their deadline. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.watch);
    void this.pool.close();
  }

  private pause(): void {
    this.usableAt = performance.now() + this.pauseMs;
    this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
  }

  private async look(): Promise<void> {
    const now = performance.now();
    const { timeMs } = this.keepalive;
    const isUsed = this.pool.stats.running > 0 || now - this.calledAt < IDLE_CONNECTION_MS;
    if (isUsed && now - this.heardAt >= timeMs && this.pool.stats.connected > 0) await this.probe();
    this.watch = undefined;
    if (isUsed && !this.isClosed) this.watch = setTimeout(() => void this.look(), timeMs).unref();
  }

  private async probe(): Promise<void> {
    const asked = this.pool;
    const signal = AbortSignal.timeout(this.keepalive.timeoutMs);
    try {
      const { body } = await asked.request({
        path: PROBE_PATH,
        method: 'GET',
        headers: { host: this.authority },
        signal,
      });
      await body.dump();
      this.heardAt = performance.now();
    } catch (error) {
      if (this.isClosed || asked !== this.pool) return;
      this.pool = this.newPool();
      this.pause();
      await asked.destroy(error instanceof Error ? error : null);
    }
  }

  private newPool(): Pool {
    return new Pool(`http://${this.address}`, {
      connections: MAX_CONNECTIONS,
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS, keepAliveInitialDelay: this.keepalive.timeMs },
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: IDLE_CONNECTION_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      maxResponseSize: MAX_MESSAGE_BYTES,
      // Every call has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }
}
