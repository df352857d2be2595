import { isErrorCode } from '@pulso/contracts/error-codes';
import { currentContext } from '@pulso/platform/context/request-context';
import {
  DomainError,
  type FieldError,
  notFound,
  permissionDenied,
  unavailable,
} from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import { internalError } from '@pulso/platform/rpc/rpc-status';
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { GatewayConfig } from '../config.js';
import { HttpProblem } from '../errors/http-problem.js';
import { isRead } from '../http/endpoint.js';

const CONNECT_TIMEOUT_MS = 2_000;
/** Media hangs when it sends nothing for so long. */
const MAX_SILENCE_MS = 10_000;
/** Refusals by status, of answers without a body, such as those to HEAD. Media has logged why it failed. */
const REFUSALS_WITHOUT_BODY = new Map<number, () => DomainError>([
  [403, permissionDenied],
  [404, notFound],
  [500, internalError],
  [503, unavailable],
]);
/** What Node answers by itself, and failures, of whose text a client hears nothing. */
const NEVER_OF_PROTOCOLS = new Set([408, 431, 500, 503]);
/** The connection was closed while it lay idle: asked again, by another one, a read is answered. */
const STALE_CONNECTION_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

export interface BytesRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** With its query. */
  path: string;
  headers: Record<string, string | undefined>;
  body?: Readable;
  signal: AbortSignal;
}

export type BytesAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

/** An answer that was read whole. */
export type ShortAnswer = Pick<BytesAnswer, 'statusCode' | 'headers'> & { text: string };

/** Media's private listener, which takes and gives bytes. They never travel by rpc. */
export class MediaBytesClient {
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    bodyTimeout: MAX_SILENCE_MS,
  });

  constructor(
    private readonly config: GatewayConfig,
    private readonly logger: Logger,
  ) {}

  /**
   * Media's answer when its headers are there; its body must be read or dumped. Rejects with the signal's reason, with
   * `unavailable` when media cannot be reached, and with the refusal that media answers.
   */
  async ask(request: BytesRequest): Promise<BytesAnswer> {
    const answer = await this.send(request, isRead(request.method));
    if (answer.statusCode < 400) return answer;
    throw await this.refusalOf(answer);
  }

  /**
   * The same for a protocol that media speaks with the client: a refusal without a code of ours is an answer of that protocol,
   * whatever its status.
   */
  async converse(request: BytesRequest): Promise<ShortAnswer> {
    const answer = await this.send(request, isRead(request.method));
    const { statusCode, headers, body } = answer;
    // A refusal of ours is JSON, also to HEAD, which gets no body.
    const isOurs = /^application\/json/.test(String(headers['content-type']));
    if (isOurs || NEVER_OF_PROTOCOLS.has(statusCode)) throw await this.refusalOf(answer);
    return { statusCode, headers, text: await body.text() };
  }

  /** All of an answer's body. Rejects with the signal's reason, and with `unavailable` when media ends in the middle of it. */
  async read({ body }: BytesAnswer, signal: AbortSignal): Promise<Buffer> {
    try {
      return Buffer.from(await body.arrayBuffer());
    } catch (err) {
      if (signal.aborted) throw signal.reason;
      this.logger.warn(
        { err, requestId: currentContext()!.requestId },
        'media closed the connection before the end of the file',
      );
      throw unavailable();
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async send({ headers, ...request }: BytesRequest, again: boolean): Promise<BytesAnswer> {
    const { requestId, traceparent } = currentContext()!;
    const all = Object.entries({ ...headers, 'x-request-id': requestId, traceparent });
    try {
      return await this.agent.request({
        ...request,
        origin: this.config.MEDIA_BYTES_URL,
        headers: Object.fromEntries(all.filter(([, value]) => value !== undefined)),
        // An upload's sender has times of its own.
        headersTimeout: request.body ? 0 : MAX_SILENCE_MS,
      });
    } catch (err) {
      if (request.signal.aborted) throw request.signal.reason;
      if (again && STALE_CONNECTION_CODES.has((err as NodeJS.ErrnoException).code ?? '')) {
        return this.send({ headers, ...request }, false);
      }
      this.logger.warn({ err, requestId }, "cannot reach media's file port");
      throw unavailable();
    }
  }

  private async refusalOf({ statusCode, headers, body }: BytesAnswer): Promise<Error> {
    const text = await body.text();
    if (statusCode === 408) return new HttpProblem('request-timeout');
    // The gateway adds headers of its own to those of its client.
    if (statusCode === 431) return new HttpProblem('headers-too-large');
    if (statusCode === 416) {
      const range = headers['content-range'];
      return new HttpProblem('range-not-satisfiable', undefined, {
        ...(typeof range === 'string' && { 'content-range': range }),
      });
    }
    const known = text === '' ? REFUSALS_WITHOUT_BODY.get(statusCode) : undefined;
    if (known) return known();
    const { code, message, retryAfter, errors } = read(text);
    if (code !== undefined && isErrorCode(code)) {
      return new DomainError(code, message ?? 'Refused', { retryAfter, errors });
    }
    if (statusCode === 503) return unavailable();
    return new Error(`Media answered ${statusCode} without a code`);
  }
}

interface Refusal {
  code?: string;
  message?: string;
  retryAfter?: number;
  errors?: FieldError[];
}

function read(text: string): Refusal {
  try {
    return (JSON.parse(text) as Refusal | null) ?? {};
  } catch {
    return {};
  }
}
