import type { IncomingMessage, Server, ServerResponse } from 'node:http';

interface Times {
  /** How long a body may take from the end of its headers (LIMIT-8). */
  bodyMs: number;
  /** How often late ones are looked for. */
  checkMs: number;
}

const DEFAULT_TIMES: Times = { bodyMs: 30_000, checkMs: 5_000 };

/** As Node's own error, which `refuseConnection` answers with 408. */
const timedOut = () =>
  Object.assign(new Error('The body took too long to arrive'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** Bodies have 30 s to arrive. Node has one such time for all requests, and uploads need more than others. */
export class RequestTimeouts {
  private readonly arriving = new Map<IncomingMessage, { response: ServerResponse; deadline: number }>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly server: Server,
    { bodyMs, checkMs } = DEFAULT_TIMES,
  ) {
    this.timer = setInterval(() => this.check(), checkMs).unref();
    server.prependListener('request', (request, response) => {
      if (!hasBody(request)) return;
      this.arriving.set(request, { response, deadline: performance.now() + bodyMs });
      request.once('close', () => this.arriving.delete(request));
    });
  }

  /** Sets a new deadline, from now, for the rest of the body. Infinity: the body's reader watches it. */
  allow(request: IncomingMessage, milliseconds: number): void {
    const one = this.arriving.get(request);
    if (one) one.deadline = performance.now() + milliseconds;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const now = performance.now();
    for (const [request, { response, deadline }] of this.arriving) {
      if (request.complete) this.arriving.delete(request);
      else if (deadline <= now) this.end(request, response);
    }
  }

  private end(request: IncomingMessage, response: ServerResponse): void {
    this.arriving.delete(request);
    // What was answered already is not followed by another answer.
    if (response.headersSent) request.socket.destroy();
    else this.server.emit('clientError', timedOut(), request.socket);
  }
}

/** Whether the headers tell of a body that is not empty. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
