import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came to the stub; `form` has the parameters of a body or of a query, `text` has a body as it came. */
export interface StubRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  form: Record<string, string>;
  text: string;
}

/** An answer, or what happens in its place. */
export type StubAnswer = { status?: number; json: object } | 'reset' | 'silence';

/** An HTTP server in Stripe's place: it answers what a test has said for a method and a path, in turn; the last one for ever. */
export class StripeStub {
  readonly requests: StubRequest[] = [];
  private readonly answers = new Map<string, StubAnswer[]>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<StripeStub> {
    const server = createServer();
    const stub = new StripeStub(server);
    server.on('request', (request, response) => void stub.take(request, response));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** `what` is a method and a path: `GET /v1/prices`. */
  answer(what: string, ...answers: StubAnswer[]): void {
    this.answers.set(what, answers);
  }

  /** The last request of a method and a path. */
  last(what: string): StubRequest | undefined {
    return this.requests.findLast(({ method, path }) => `${method} ${path}` === what);
  }

  reset(): void {
    this.requests.length = 0;
    this.answers.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { pathname, search } = new URL(request.url!, this.url);
    const text = Buffer.concat(pieces).toString();
    const parameters = request.method === 'POST' ? text : search.slice(1);
    const { method = '', headers } = request;
    this.requests.push({
      method,
      path: pathname,
      headers,
      form: Object.fromEntries(new URLSearchParams(parameters)),
      text,
    });
    const left = this.answers.get(`${method} ${pathname}`) ?? [];
    const answer = (left.length > 1 ? left.shift() : left[0]) ?? {
      status: 404,
      json: { error: { type: 'invalid_request_error', message: `nothing is said of ${method} ${pathname}` } },
    };
    if (answer === 'silence') return;
    if (answer === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.json));
  }
}
