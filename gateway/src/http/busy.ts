import { unavailable } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_TYPE, problemOf } from '../errors/problem.js';

const ID = '-';

/**
 * Refuses a request because of the load (LIMIT-5, LIMIT-9): 503 with `Retry-After`, past all hooks but `onResponse`, from
 * a text that is made once. Refusing must cost little of what is refused, or the refusals are the load.
 */
export class Busy {
  private readonly headers: string[];
  private readonly before: string;
  private readonly after: string;

  constructor(headers: Readonly<Record<string, string>>) {
    const { problem, headers: own } = problemOf(
      unavailable('Pulso is busy. Please try again in a moment.'),
      ID,
    );
    [this.before = '', this.after = ''] = JSON.stringify(problem).split(`"requestId":"${ID}"`);
    const all = { ...headers, ...own, 'content-type': PROBLEM_TYPE, 'cache-control': 'private, no-cache' };
    this.headers = Object.entries(all).flat();
  }

  refuse({ id, raw }: FastifyRequest, reply: FastifyReply, connection: 'close' | undefined): void {
    const body = `${this.before}"requestId":"${id}"${this.after}`;
    const length = String(Buffer.byteLength(body));
    const headers = [...this.headers, 'x-request-id', id, 'content-length', length];
    if (connection) headers.push('connection', connection);
    reply.hijack();
    reply.raw.writeHead(503, headers).end(raw.method === 'HEAD' ? undefined : body);
  }
}
