import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface PacedLoad {
  /** Per second. */
  served: number;
  refused: number;
  /** Requests that were due while every connection waited for an answer, per second: nobody sent them. */
  unsent: number;
  /** Of what was served, in ms from the request's last byte to the answer's. */
  p50: number;
  p99: number;
  /** Connections that broke off. */
  brokenOff: number;
}

const HEADER_END = '\r\n\r\n';
const TICK_MS = 2;

/**
 * Requests at a fixed rate over kept connections, each with one request under way at most. It reads of an answer no more
 * than its status and its length: the client takes its part of the processors of what it measures.
 *
 * @param requests whole HTTP/1.1 requests, used in turns
 * @param rate requests per second
 */
export async function pacedLoad(
  port: number,
  requests: readonly Buffer[],
  { rate, connections, seconds }: { rate: number; connections: number; seconds: number },
): Promise<PacedLoad> {
  const latencies: number[] = [];
  const figures = { refused: 0, unsent: 0, brokenOff: 0 };
  const idle: Caller[] = [];
  const callers = await Promise.all(
    Array.from({ length: connections }, () =>
      Caller.open(port, (caller, status, milliseconds) => {
        if (status === 0) return void (figures.brokenOff += 1);
        if (status === 200) latencies.push(milliseconds);
        else figures.refused += 1;
        idle.push(caller);
      }),
    ),
  );
  idle.push(...callers);
  const began = performance.now();
  let due = 0;
  while (performance.now() - began < seconds * 1_000) {
    const until = Math.floor(((performance.now() - began) / 1_000) * rate);
    for (; due < until; due += 1) {
      // Who has waited longest for a request comes first, so that all connections are used.
      const caller = idle.shift();
      if (caller) caller.send(requests[due % requests.length]!);
      else figures.unsent += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  const elapsed = (performance.now() - began) / 1_000;
  const served = latencies.length;
  for (const caller of callers) caller.close();
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(served * share)] ?? 0;
  return {
    served: served / elapsed,
    refused: figures.refused / elapsed,
    unsent: figures.unsent / elapsed,
    p50: quantile(0.5),
    p99: quantile(0.99),
    brokenOff: figures.brokenOff,
  };
}

/** Called with status 0 when the connection has broken off. */
type Answered = (caller: Caller, status: number, milliseconds: number) => void;

class Caller {
  private sentAt = 0;
  private status = 0;
  /** Of the answer's body, not come yet; -1 while its header is not complete. */
  private missing = -1;
  private header = '';
  private isClosed = false;

  private constructor(
    private readonly socket: Socket,
    private readonly answered: Answered,
  ) {
    socket.setNoDelay();
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => this.isClosed || this.answered(this, 0, 0));
  }

  static async open(port: number, answered: Answered): Promise<Caller> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Caller(socket, answered);
  }

  send(request: Buffer): void {
    this.sentAt = performance.now();
    this.socket.write(request);
  }

  close(): void {
    this.isClosed = true;
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    if (this.missing < 0) {
      this.header += chunk.toString('latin1');
      const end = this.header.indexOf(HEADER_END);
      if (end < 0) return;
      this.status = Number(this.header.slice(9, 12));
      const length = /content-length: (\d+)/i.exec(this.header.slice(0, end))?.[1];
      if (!length) throw new Error(`An answer without a length: ${this.header.slice(0, end)}`);
      this.missing = Number(length) - (this.header.length - end - HEADER_END.length);
    } else this.missing -= chunk.length;
    if (this.missing > 0) return;
    this.missing = -1;
    this.header = '';
    this.answered(this, this.status, performance.now() - this.sentAt);
  }
}
