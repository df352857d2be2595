import { errors, type Dispatcher } from 'undici';
import type { DomainError } from '../errors/domain-error.js';
import { unavailable } from '../errors/domain-error.js';
import { pushHeaders } from './connect-metadata.js';
import {
  MESSAGE_TYPE,
  PROTOCOL_VERSION,
  PROTOCOL_VERSION_HEADER,
  TIMEOUT_HEADER,
} from './connect-protocol.js';
import { NOT_BEGUN, type ReceivedAnswer, answerOf } from './connect-answer.js';
import type { Replica } from './replica.js';
import type { Replicas } from './replicas.js';
import type { RpcAnswer, RpcCall } from './rpc-channel.js';
import { RpcStatusError, cancelled, deadlineExceeded, payloadTooLarge, toStatusError } from './rpc-status.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const MAX_TIMEOUT_MS = 9_999_999_999;

/**
 * One call, until its answer, its deadline or its cancellation. If a replica has not begun it, the next one gets it, also a
 * write: it was not reached, or said so. Each is asked once.
 */
export class ConnectAttempts {
  private readonly end: number;
  private readonly timer: NodeJS.Timeout;
  private readonly headers: string[];
  private readonly cancel = () => this.giveUp(cancelled());
  private readonly asked = new Set<Replica>();
  private running: Attempt | undefined;
  private isOver = false;

  constructor(
    private readonly replicas: Replicas,
    private readonly path: string,
    private readonly call: RpcCall,
    private readonly resolve: (answer: RpcAnswer) => void,
    private readonly reject: (error: RpcStatusError) => void,
  ) {
    const { budgetMs, cancellation, metadata } = call;
    this.end = performance.now() + budgetMs;
    this.timer = setTimeout(() => this.expire(), Math.min(budgetMs, LONGEST_TIMER_MS));
    cancellation?.onEnd(this.cancel);
    this.headers = pushHeaders(
      ['host', replicas.authority, 'content-type', MESSAGE_TYPE, PROTOCOL_VERSION_HEADER, PROTOCOL_VERSION],
      metadata,
    );
  }

  begin(): void {
    const found = this.replicas.whenKnown();
    if (found) void found.then(() => this.next());
    else this.next();
  }

  /** Sends the call to the replica whose turn it is. */
  next(): void {
    if (this.isOver) return;
    const replica = this.replicas.next(this.asked);
    if (!replica) return this.fail(toStatusError(unavailable()));
    this.asked.add(replica);
    const leftMs = Math.min(Math.max(1, Math.ceil(this.end - performance.now())), MAX_TIMEOUT_MS);
    this.running = new Attempt(this, replica);
    replica.dispatch(
      {
        path: this.path,
        method: 'POST',
        headers: [...this.headers, TIMEOUT_HEADER, String(leftMs)],
        body: this.call.request,
      },
      this.running,
    );
  }

  answered(received: ReceivedAnswer): void {
    if (this.isOver) return;
    const answer = answerOf(received);
    if (answer === NOT_BEGUN) return this.next();
    if (answer instanceof RpcStatusError) return this.fail(answer);
    this.finish();
    this.resolve(answer);
  }

  /** @param hasBegun whether the replica may have got the call */
  failed(error: Error, hasBegun: boolean): void {
    if (this.isOver) return;
    if (!hasBegun) return this.next();
    const isTooLarge = error instanceof errors.ResponseExceededMaxSizeError;
    this.fail(toStatusError(isTooLarge ? payloadTooLarge() : unavailable()));
  }

  private expire(): void {
    this.running?.wasInVain();
    this.giveUp(deadlineExceeded());
  }

  private giveUp(reason: DomainError): void {
    this.fail(toStatusError(reason));
    this.running?.abort(reason);
  }

  private fail(error: RpcStatusError): void {
    this.finish();
    this.reject(error);
  }

  private finish(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.call.cancellation?.offEnd(this.cancel);
  }
}

/** The call at one replica. */
class Attempt implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private aborted: Error | undefined;
  private status = 0;
  private headers: ReceivedAnswer['headers'] = {};
  private readonly chunks: Buffer[] = [];
  private readonly since = performance.now();

  constructor(
    private readonly attempts: ConnectAttempts,
    private readonly replica: Replica,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.aborted) controller.abort(this.aborted);
  }

  onResponseStart(_: unknown, status: number, headers: ReceivedAnswer['headers']): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const { status, headers, chunks } = this;
    this.replica.heard(status);
    this.attempts.answered({
      status,
      headers,
      body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
    });
  }

  onResponseError(_: unknown, error: Error): void {
    const hasBegun = this.controller !== undefined;
    if (!hasBegun && !this.aborted) this.replica.unreachable();
    this.attempts.failed(error, hasBegun);
  }

  /** Nobody waits any more. Its connection ends, which tells the replica; a call that waits for one is never sent. */
  abort(reason: Error): void {
    this.aborted = reason;
    this.controller?.abort(reason);
  }

  /** The deadline came without an answer. */
  wasInVain(): void {
    this.replica.silentSince(this.since);
  }
}
