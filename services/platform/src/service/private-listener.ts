import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccessTokenVerifier } from '../auth/access-token.js';
import { Cancellation } from '../context/cancellation.js';
import { runInContext } from '../context/request-context.js';
import { DomainError, type FieldError, unavailable } from '../errors/domain-error.js';
import { HTTP_STATUS } from '../errors/http-status.js';
import { isStoreTrouble } from '../errors/store-trouble.js';
import { newId } from '../ids/uuid-v7.js';
import type { Logger } from '../logging/logger.js';
import { DRAIN_TIMEOUT_MS } from '../rpc/rpc-endpoint.js';
import { internalError } from '../rpc/rpc-status.js';

/** The longest that a request may take as a whole, also one whose body comes slowly. */
const REQUEST_TIMEOUT_MS = 15 * 60_000;
/** How long the rest of a refused body is read, so that the client gets to read the refusal. */
const REST_TIMEOUT_MS = 5_000;

/** A part of a service that answers HTTP requests, for bytes that do not travel by rpc. Only the gateway reaches it. */
export interface HttpListener {
  /**
   * Answers a request, within its context: its caller, who is null without a token, and `cancellation`, which ends when
   * the client leaves. A DomainError that it throws before it has answered becomes `{ code, message, retryAfter?, errors? }`.
   */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface PrivateListenerOptions {
  listener: HttpListener;
  verifier: AccessTokenVerifier;
  /** 0 binds a free port. */
  port: number;
  host: string;
  logger: Logger;
}

export interface PrivateListener {
  port: number;
  /** Takes no new connections, waits a few seconds for running requests, and ends the others. */
  drain(): Promise<void>;
}

/** Rejects if the port is taken. */
export async function startPrivateListener(options: PrivateListenerOptions): Promise<PrivateListener> {
  const server = createServer((request, response) => {
    response.once('close', () => setImmediate(() => server.emit('answered')));
    void serve(request, response, options);
  });
  // The listener bounds how slow a body may be.
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, drain: () => drain(server) };
}

async function drain(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // Clients keep their connection after the last answer.
    server.on('answered', () => server.closeIdleConnections());
  });
  clearTimeout(timer);
}

/** Never rejects. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { listener, verifier, logger }: PrivateListenerOptions,
): Promise<void> {
  const cancellation = new Cancellation();
  response.once('close', () => {
    if (!response.writableFinished) cancellation.end(new Error('the client has left'));
  });
  const { authorization } = request.headers;
  const context = {
    ...{ requestId: headerOf(request, 'x-request-id') ?? newId(), authorization, cancellation },
    ...{ deadline: Infinity, after: [], wrote: [], traceparent: headerOf(request, 'traceparent') },
  };
  try {
    const caller = authorization === undefined ? null : await verifier.verify(authorization);
    await runInContext({ ...context, caller }, () => listener.handle(request, response));
  } catch (error) {
    if (cancellation.over) return;
    const { requestId } = context;
    const failure = domainError(
      error,
      { request: `${request.method} ${pathOf(request)}`, requestId },
      logger,
    );
    refuse(request, response, failure);
  }
}

/** After the first byte of an answer nothing can be said any more, so the connection ends. */
function refuse(request: IncomingMessage, response: ServerResponse, error: DomainError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { code, kind, message, details } = error;
  const { retryAfter, errors } = details;
  answerError(response, HTTP_STATUS[kind], { code, message, retryAfter, errors });
  if (!request.complete) endRest(request);
}

/** An error as the gateway reads it. */
export function answerError(
  response: ServerResponse,
  status: number,
  error: { code: string; message: string; retryAfter?: number; errors?: readonly FieldError[] },
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(error));
}

/** Reads on for a while: closing at once would reset the connection, and the client could not read the answer. */
function endRest(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), REST_TIMEOUT_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.on('error', () => undefined);
  request.resume();
}

function domainError(error: unknown, about: object, logger: Logger): DomainError {
  if (error instanceof DomainError) return error;
  if (isStoreTrouble(error)) {
    logger.warn({ err: error, ...about }, 'request failed: store unavailable');
    return unavailable();
  }
  logger.error({ err: error, ...about }, 'request failed');
  return internalError();
}

/** Without the query, which may hold a signature. */
const pathOf = ({ url = '' }: IncomingMessage) => url.split('?')[0];

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
