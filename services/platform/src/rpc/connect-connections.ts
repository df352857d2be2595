import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Balancers that choose a replica for each connection, and clients behind them, find new replicas only by new connections. */
const MAX_AGE_MS = 60_000;
/** So that the connections of a busy start do not all end at once. */
const AGE_JITTER_MS = 10_000;
/** How long clients may take to close their idle connections after the goodbye. */
const GOODBYE_MS = 500;
/**
 * HTTP's way to say on an open connection that no request has been taken from it (RFC 9110, 15.5.9): a client whose request
 * is on its way at this moment may send it elsewhere, even a write.
 */
const GOODBYE = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

interface Connection {
  running: number;
  endsAt: number;
  isGone: boolean;
}

/**
 * Whether a request on a connection may begin. One on a connection that had its goodbye (`gone`) gets no answer, and one that
 * comes to a leaving server is `refused`.
 */
export type Begun = 'begun' | 'refused' | 'gone';

/** The connections of a server, which it ends without losing a request. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private running = 0;
  private isLeaving = false;
  private changed: (() => void) | undefined;

  constructor(private readonly maxAgeMs = MAX_AGE_MS) {}

  get count(): number {
    return this.open.size;
  }

  add(socket: Socket): void {
    const endsAt = performance.now() + this.maxAgeMs + Math.random() * AGE_JITTER_MS;
    this.open.set(socket, { running: 0, endsAt, isGone: false });
    socket.once('close', () => {
      this.open.delete(socket);
      this.changed?.();
    });
  }

  begin(socket: Socket, response: ServerResponse): Begun {
    const connection = this.open.get(socket);
    if (!connection || connection.isGone) return 'gone';
    this.running += 1;
    connection.running += 1;
    response.once('close', () => {
      this.running -= 1;
      connection.running -= 1;
      this.changed?.();
    });
    return this.isLeaving ? 'refused' : 'begun';
  }

  /** Whether the connection is to end with its next answer: it is old, or the server leaves. */
  isLast(socket: Socket): boolean {
    return this.isLeaving || performance.now() > (this.open.get(socket)?.endsAt ?? 0);
  }

  /** Says goodbye to all clients and waits at most `timeoutMs` until running requests are answered. */
  async leave(timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    this.isLeaving = true;
    for (const [socket, connection] of this.open) if (connection.running === 0) goodbye(socket, connection);
    await this.until(() => this.running === 0, end);
    // What became idle since, by an answer that was on its way already.
    for (const [socket, connection] of this.open) if (!connection.isGone) goodbye(socket, connection);
    await this.until(() => this.open.size === 0, Math.min(end, performance.now() + GOODBYE_MS));
  }

  private async until(isSo: () => boolean, end: number): Promise<void> {
    const given = new AbortController();
    const timeUp = delay(Math.max(0, end - performance.now()), undefined, { signal: given.signal }).catch(
      () => undefined,
    );
    const so = new Promise<void>((resolve) => {
      this.changed = () => void (isSo() && resolve());
      this.changed();
    });
    await Promise.race([so, timeUp]);
    this.changed = undefined;
    given.abort();
  }
}

function goodbye(socket: Socket, connection: Connection): void {
  connection.isGone = true;
  // Its last answer may have ended it already.
  if (socket.writable) socket.end(GOODBYE);
}
