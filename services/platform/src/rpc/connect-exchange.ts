import type { IncomingMessage, ServerResponse } from 'node:http';
import { Cancellation } from '../context/cancellation.js';
import { httpStatusOf, type ConnectCode } from '../errors/connect-code.js';
import { metadataOf, pushHeaders } from './connect-metadata.js';
import {
  ERROR_TYPE,
  MESSAGE_TYPE,
  PROTOCOL_VERSION,
  PROTOCOL_VERSION_HEADER,
  TIMEOUT_HEADER,
} from './connect-protocol.js';
import type { RpcAnswer } from './rpc-channel.js';
import type { RpcEndpoint } from './rpc-endpoint.js';
import { RpcStatusError, cancelled } from './rpc-status.js';
import { DEFAULT_BUDGET_MS, MAX_MESSAGE_BYTES, joined } from './service-definition.js';

/** HTTP's status for a request that has not been taken: a client may send it elsewhere. */
const NOT_BEGUN = 408;
const NOTHING = Buffer.alloc(0);

/** One request over HTTP and its answer. */
export class ConnectExchange {
  private readonly cancellation = new Cancellation();
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isAnswered = false;

  /** @param isLast whether the connection is to end with its next answer */
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly isLast: () => boolean,
  ) {
    response.once('close', () => {
      if (!this.isAnswered) this.cancellation.end(cancelled());
    });
  }

  /** The server leaves. */
  notBegun(): void {
    this.refuse(NOT_BEGUN, []);
  }

  /** The process is there. */
  probe(): void {
    this.request.resume();
    const { method } = this.request;
    if (method !== 'GET' && method !== 'HEAD') return this.answer(405, ['allow', 'GET, HEAD'], NOTHING);
    this.answer(
      200,
      ['content-type', ERROR_TYPE, 'cache-control', 'no-store'],
      Buffer.from('{"status":"ok"}'),
    );
  }

  /** @param method lowerCamel; undefined if the service has none at this path */
  call(endpoint: RpcEndpoint, method: string | undefined): void {
    const { request } = this;
    if (method === undefined) return this.fail('unimplemented', 'There is no such method.');
    if (request.method !== 'POST') return this.refuse(405, ['allow', 'POST']);
    if (typeOf(request) !== MESSAGE_TYPE) return this.refuse(415, ['accept-post', MESSAGE_TYPE]);
    const refusal = refusalOf(request);
    if (refusal) return this.fail('invalid_argument', refusal);
    const { 'content-encoding': encoding } = request.headers;
    if (encoding !== undefined && encoding !== 'identity')
      return this.fail('unimplemented', 'Messages must not be compressed.');
    if (Number(request.headers['content-length']) > MAX_MESSAGE_BYTES) return this.failTooLarge();
    request.on('data', (chunk: Buffer) => this.take(chunk));
    request.once('end', () => {
      if (!this.isAnswered) this.run(endpoint, method);
    });
  }

  private take(chunk: Buffer): void {
    this.length += chunk.byteLength;
    if (this.length <= MAX_MESSAGE_BYTES) this.chunks.push(chunk);
    else if (!this.isAnswered) this.failTooLarge();
  }

  private run(endpoint: RpcEndpoint, method: string): void {
    const { chunks, cancellation } = this;
    const { headers } = this.request;
    const timeout = headers[TIMEOUT_HEADER];
    const call = {
      method,
      request: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
      metadata: metadataOf(headers),
      budgetMs: timeout === undefined ? DEFAULT_BUDGET_MS : Number(timeout),
      cancellation,
    };
    endpoint.unary(call).then(
      (answer) => this.succeed(answer),
      (error: unknown) => {
        if (!(error instanceof RpcStatusError)) throw error;
        this.failWith(error);
      },
    );
  }

  private succeed({ message, metadata }: RpcAnswer): void {
    this.answer(200, pushHeaders(['content-type', MESSAGE_TYPE], metadata), joined(message));
  }

  private failWith({ code, message, metadata }: RpcStatusError): void {
    const body = Buffer.from(JSON.stringify({ code, message }));
    this.answer(httpStatusOf(code), pushHeaders(['content-type', ERROR_TYPE], metadata), body);
  }

  private failTooLarge(): void {
    this.fail('resource_exhausted', `A message may have ${MAX_MESSAGE_BYTES} bytes.`);
  }

  /** An error of the protocol. What is still to come of the request is not read: the connection ends. */
  private fail(code: ConnectCode, message: string): void {
    const body = Buffer.from(JSON.stringify({ code, message }));
    this.refuse(httpStatusOf(code), ['content-type', ERROR_TYPE], body);
  }

  private refuse(status: number, headers: string[], body = NOTHING): void {
    this.request.resume();
    this.answer(status, headers, body, true);
  }

  private answer(status: number, headers: string[], body: Buffer, isLast = this.isLast()): void {
    // The client has hung up: there is nobody to answer.
    if (this.isAnswered || this.response.destroyed) return;
    this.isAnswered = true;
    // Without a word about the connection Node would tell how long it may be idle, in each answer.
    headers.push('content-length', String(body.byteLength), 'connection', isLast ? 'close' : 'keep-alive');
    this.response.writeHead(status, headers);
    this.response.end(body);
  }
}

function typeOf({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase();
}

/** What is wrong with the protocol's own headers. */
function refusalOf({ headers }: IncomingMessage): string | undefined {
  const version = headers[PROTOCOL_VERSION_HEADER];
  if (version !== undefined && version !== PROTOCOL_VERSION) return `${PROTOCOL_VERSION_HEADER} must be "1".`;
  const timeout = headers[TIMEOUT_HEADER];
  if (timeout !== undefined && !/^\d{1,10}$/.test(String(timeout)))
    return `${TIMEOUT_HEADER} must be a whole number of milliseconds.`;
  return undefined;
}
