import { timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Books, type World } from '../books.js';
import { takeFault } from '../faults/take-fault.js';
import type { Fault } from '../faults/rules.js';
import { expanded } from './encode.js';
import { Listed, type Endpoint } from './endpoint.js';
import { decodeForm } from './form.js';
import { Idempotency } from './idempotency.js';
import { page } from './page.js';
import { invalid, StripeError, toV2, unknownAccount } from './stripe-error.js';
import { API_VERSION } from './version.js';

export interface ApiOptions {
  world: World;
  secretKey: string;
  /** Ends the answers that a fault holds back. */
  stopped: AbortSignal;
  /** Called after each request, so that its events are sent. */
  done(request: LoggedRequest): void;
}

export interface LoggedRequest {
  id: string;
  method: string;
  path: string;
  status: number;
}

interface Answer {
  status: number;
  body: string;
  /** Whether the same answer is given to a repetition with the same key. */
  saved: boolean;
}

/** Serves the endpoints as Stripe does: key, version, account, idempotency, expand, lists and errors. */
export function registerApi(app: FastifyInstance, endpoints: readonly Endpoint[], options: ApiOptions): void {
  const idempotency = new Idempotency();
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: (request, reply) => serve(endpoint, request, reply, idempotency, options),
    });
  }
}

async function serve(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  idempotency: Idempotency,
  { world, secretKey, stopped, done }: ApiOptions,
): Promise<FastifyReply> {
  const { store } = world;
  const platform = new Books(world, null);
  const requestId = platform.newId('req_', 14);
  const [path = '', query = ''] = request.url.split('?');
  const refuse: Refuse = (error, saved) => answerOf(error, isV2(path), saved);
  reply.header('request-id', requestId).header('stripe-version', API_VERSION);
  const send = ({ status, body }: Pick<Answer, 'status' | 'body'>) => {
    done({ id: requestId, method: endpoint.method, path, status });
    return reply.code(status).type('application/json').send(body);
  };
  try {
    requireKey(request, secretKey);
    const key = endpoint.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined;
    const books = booksOf(request, new Books(world, null, { id: requestId, idempotency_key: key ?? null }));
    const parameters = [query, textOf(request.body)].filter(Boolean).join('&');
    if (key !== undefined) {
      const saved = idempotency.find(books, key, path, parameters);
      if (saved) {
        reply.header('idempotent-replayed', 'true').header('original-request', saved.requestId);
        return send(saved);
      }
    }
    const { expand = [], ...given } = isV2(path)
      ? { ...decodeForm(query), ...(request.body as object | null | undefined) }
      : decodeForm(parameters);
    const paths = pathsOf(expand);
    const run = endpoint.prepare(given);
    const fault = takeFault(world, endpoint.method, path);
    const { id = '' } = request.params as { id?: string };
    const encode = (result: object) =>
      result instanceof Listed ? page(result, path, paths, books) : expanded(result, paths, books);
    const answer = answerTo(books, fault, refuse, () => encode(run(books, id)));
    if (key !== undefined && answer.saved)
      idempotency.save(books, key, parameters, { ...answer, path, requestId });
    store.commit();
    if (fault && fault.kind !== 'status') {
      if (key !== undefined) idempotency.begin(books, key);
      const pause = fault.kind === 'reset' ? 0 : fault.ms;
      await delay(pause, undefined, { signal: stopped }).catch(ignoreStop);
      if (key !== undefined) idempotency.end(books, key);
      if (fault.kind !== 'slow') {
        done({ id: requestId, method: endpoint.method, path, status: 0 });
        reply.hijack();
        reply.raw.destroy();
        return reply;
      }
    }
    return send(answer);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    return send(refuse(error));
  }
}

function ignoreStop(error: unknown): void {
  if ((error as Error).name !== 'AbortError') throw error;
}

/** Carries the request out, or lets it fail as `fault` says. The effect is not committed yet. */
function answerTo(books: Books, fault: Fault | undefined, refuse: Refuse, run: () => object): Answer {
  if (fault?.kind === 'status' && !fault.after) return refuse(errorOf(fault), fault.saved);
  try {
    const body = JSON.stringify(run(), null, 2);
    if (fault?.kind === 'status') return refuse(errorOf(fault), fault.saved);
    return { status: 200, body, saved: true };
  } catch (error) {
    if (!(error instanceof StripeError)) {
      books.world.store.rollback();
      throw error;
    }
    if (!error.keepsEffect) books.world.store.rollback();
    return refuse(error, true);
  }
}

type Refuse = (error: StripeError, saved?: boolean) => Answer;

const answerOf = (error: StripeError, byV2: boolean, saved = error.status >= 500): Answer => ({
  status: error.status,
  body: JSON.stringify({ error: byV2 ? toV2(error) : error.fields }, null, 2),
  saved,
});

/** v2 has its own errors, and bodies of JSON. */
const isV2 = (path: string) => path.startsWith('/v2/');

/** A body as one text, by which a repetition is known. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return body ? JSON.stringify(body) : '';
}

function errorOf({ status, type }: Fault): StripeError {
  if (type) return new StripeError(status, { type, message: 'The simulator was told so of this key.' });
  if (status === 429)
    return new StripeError(429, {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message:
        'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
    });
  if (status === 409)
    return new StripeError(409, {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message:
        'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.',
    });
  if (status >= 500)
    return new StripeError(status, { type: 'api_error', message: 'An unknown error occurred.' });
  return new StripeError(status, {
    type: 'invalid_request_error',
    message: 'The simulator was told to refuse this.',
  });
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function requireKey(request: FastifyRequest, secretKey: string): void {
  const given = /^Bearer (\S+)$/.exec(headerOf(request, 'authorization') ?? '')?.[1];
  if (given === undefined)
    throw new StripeError(401, {
      type: 'invalid_request_error',
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    });
  const [one, other] = [Buffer.from(given), Buffer.from(secretKey)];
  if (one.length !== other.length || !timingSafeEqual(one, other))
    throw new StripeError(401, {
      type: 'invalid_request_error',
      message: `Invalid API Key provided: ${given.slice(0, 8)}****`,
    });
}

/** The objects that the request is for: the platform's, or those of the account in the header `stripe-account`. */
function booksOf(request: FastifyRequest, platform: Books): Books {
  const version = headerOf(request, 'stripe-version');
  if (version === undefined && isV2(request.url)) throw invalid('The header Stripe-Version is missing.');
  if (version !== undefined && version !== API_VERSION)
    throw invalid(`Invalid Stripe API version: ${version}. The simulator has ${API_VERSION}.`);
  const account = headerOf(request, 'stripe-account');
  if (account === undefined) return platform;
  if (!platform.find('account', account)) throw unknownAccount(account);
  return platform.of(account);
}

function pathsOf(expand: unknown): string[] {
  if (Array.isArray(expand) && expand.every((path) => typeof path === 'string')) return expand;
  throw invalid('Invalid array', { param: 'expand' });
}
