import type { ServerResponse } from 'node:http';
import type { VerifiedCaller } from '@pulso/platform/auth/access-token';

/** Why a stream has ended. */
export type EndReason = 'client' | 'source' | 'session' | 'token' | 'drain' | 'slow';

/**
 * What a handler of the kind `events` returns: frames, made by `eventFrame`, from an iterator whose `return` ends a pending
 * `next`. It is no iterable, since Nest would send that itself, compressed and without end.
 */
export type Frames = Required<Pick<AsyncIterator<string>, 'next' | 'return'>>;

const HEARTBEAT = ':\n\n';

/** One open response of server-sent events. */
export class EventStream {
  private reason: EndReason | undefined;
  private slow: NodeJS.Timeout | undefined;

  constructor(
    readonly caller: VerifiedCaller,
    private readonly response: ServerResponse,
    private readonly frames: Frames,
    private readonly slowReaderMs: number,
  ) {}

  /** Sends frames as fast as they are read, until the stream ends; never rejects. Resolves to why it has ended. */
  async run(): Promise<EndReason> {
    this.response.once('close', () => this.stop('client'));
    if (this.response.destroyed) this.stop('client');
    try {
      for (let next = await this.frames.next(); !next.done; next = await this.frames.next()) {
        if (this.reason === undefined && !this.response.write(next.value)) await this.drained();
      }
    } finally {
      this.stop('source');
    }
    return this.reason!;
  }

  /** Keeps proxies from closing the connection, and notices readers that are gone. */
  beat(): void {
    if (this.reason === undefined && !this.response.writableNeedDrain) this.response.write(HEARTBEAT);
  }

  /** Ends the response as if all had been said; a reader that does not read is cut off. */
  stop(reason: EndReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    clearTimeout(this.slow);
    void this.frames.return();
    if (this.response.writableNeedDrain) this.response.destroy();
    else this.response.end();
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(this.slow);
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
      this.slow = setTimeout(() => this.stop('slow'), this.slowReaderMs);
    });
  }
}
