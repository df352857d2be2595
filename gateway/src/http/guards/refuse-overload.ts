import { unavailable } from '@pulso/platform/errors/domain-error';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROBLEM_TYPE, problemOf, withErrorText } from '../../errors/problem.js';

const ID = '-';
const STRIPE = '/api/stripe/';

/** Of the text of a problem, around its request's id. */
interface Parts {
  before: string;
  after: string;
}

/**
 * Refuses a request because of the load (LIMIT-5, LIMIT-9): 503 with `Retry-After`, past all hooks but `onResponse`, from
 * a text that is made once. Refusing must cost little of what is refused, or the refusals are the load.
 */
export class OverloadRefusal {
  private readonly headers: string[];
  private readonly usual: Parts;
  private readonly stripe: Parts;

  constructor(headers: Readonly<Record<string, string>>) {
    const { problem, headers: own } = problemOf(
      unavailable('Pulso is busy. Please try again in a moment.'),
      ID,
    );
    const partsAt = (url: string): Parts => {
      const [before = '', after = ''] = JSON.stringify(withErrorText(problem, url)).split(`"${ID}"`);
      return { before, after };
    };
    this.usual = partsAt('/');
    this.stripe = partsAt(STRIPE);
    const all = { ...headers, ...own, 'content-type': PROBLEM_TYPE, 'cache-control': 'private, no-cache' };
    this.headers = Object.entries(all).flat();
  }

  /** `id` is the request's, as `requestIdOf` tells it. */
  refuse(
    { url, method }: IncomingMessage,
    response: ServerResponse,
    id: string,
    connection: 'close' | undefined,
  ): void {
    const { before, after } = url?.startsWith(STRIPE) ? this.stripe : this.usual;
    const body = `${before}"${id}"${after}`;
    const length = String(Buffer.byteLength(body));
    const headers = [...this.headers, 'x-request-id', id, 'content-length', length];
    if (connection) headers.push('connection', connection);
    // With the other answers of this turn (see `sendLater`): most of what a refusal costs is the write that wakes its reader.
    setImmediate(() => response.writeHead(503, headers).end(method === 'HEAD' ? undefined : body));
  }
}
