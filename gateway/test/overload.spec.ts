import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { gate } from '@pulso/platform/testing/gate';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { Registry } from 'prom-client';
import type { RateLimitName } from '../src/rate-limit/limits.js';
import { aPost, encodedPage, POST_ID } from './support/fake-clients.js';
import { MEDIA_ID, startListener, takeUpload } from './support/fake-media.js';
import { rawConnection } from './support/raw-connection.js';
import { SlowRateLimits } from './support/slow-limits.js';
import {
  startGatewayForThisTest,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './support/start-test-gateway.js';

const PLACES = 2;

let gateway: TestGateway;
let asked: number;
let answerAll: () => void;

/** Feeds that wait for `answerAll`. */
beforeEach(async () => {
  gateway = await startTestGateway({ maxConcurrentPerRoute: PLACES });
  asked = 0;
  const waiting = new Promise<void>((resolve) => (answerAll = resolve));
  gateway.posts.getFeed = async () => {
    asked += 1;
    await waiting;
    return encodedPage({ items: [], nextCursor: '' });
  };
});
afterEach(() => gateway?.close());

const feed = () => gateway.call('GET', '/api/feed');
const allAsked = () => until(() => asked === PLACES, { what: 'as many calls at the service as have places' });

// Rule: LIMIT-9
describe('more requests than are served at once', () => {
  it('are refused at once, with everything that other answers have', async () => {
    const served = [feed(), feed()];
    await allAsked();
    const refused = await feed();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    const requestId = refused.headers.get('x-request-id');
    expect(await refused.json()).toEqual({
      type: '/api/docs#error-unavailable',
      title: 'Unavailable',
      status: 503,
      detail: 'Pulso is busy. Please try again in a moment.',
      code: 'unavailable',
      requestId,
    });
    const { headers } = await gateway.call('GET', '/api/nope');
    for (const name of ['content-security-policy', 'x-content-type-options', 'content-type']) {
      expect([name, refused.headers.get(name)]).toEqual([name, headers.get(name)]);
    }
    expect(asked).toBe(PLACES);
    answerAll();
    for (const one of served) expect((await one).status).toBe(200);
    expect((await feed()).status).toBe(200);
  });

  it('are counted', async () => {
    const registry = new Registry();
    const counting = await startTestGateway({ maxConcurrentPerRoute: 0, registry });
    onTestEnd(() => counting.close());
    const refusals = async () =>
      (await registry.getSingleMetric('pulso_http_refusals_total')!.get()).values[0]!.value;
    expect((await counting.call('GET', '/api/nope')).status).toBe(404);
    expect(await refusals()).toBe(0);
    expect((await counting.call('GET', '/api/feed')).status).toBe(503);
    expect(await refusals()).toBe(1);
  });

  // Rule: LIMIT-11
  it('keep no place by sending many at once on one connection and leaving', async () => {
    answerAll();
    const one = 'GET /api/specialties HTTP/1.1\r\nHost: a\r\n\r\n';
    const { socket } = await rawConnection(gateway.url, one.repeat(4 * PLACES));
    await until(() => socket.closed, { what: 'the end of the connection' });
    const statuses = async () => {
      const answers = Array.from({ length: PLACES }, () => gateway.call('GET', '/api/specialties'));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    await until(async () => (await statuses()).every((status) => status === 200), { what: 'free places' });
  });

  // Rule: LIMIT-11
  it('keep no place by not reading their answers, and lose their connections', async () => {
    await gateway.close();
    gateway = await startTestGateway({ maxConcurrentPerRoute: PLACES, unread: { unreadMs: 500 } });
    // More than the buffers of both ends take.
    const items = Array.from({ length: 100 }, (_, id) =>
      aPost({ id: `${id}`, content: 'x'.repeat(100_000) }),
    );
    gateway.posts.getFeed = async () => encodedPage({ items, nextCursor: '' });
    const ends: Socket[] = [];
    const accepted = (message: unknown) => ends.push((message as { socket: Socket }).socket);
    subscribe('net.server.socket', accepted);
    onTestEnd(() => unsubscribe('net.server.socket', accepted));
    const lines = ['GET /api/feed HTTP/1.1', 'Host: a', `Authorization: Bearer ${gateway.token}`];
    for (let count = 0; count < PLACES; count += 1) {
      const { socket } = await rawConnection(gateway.url, `${lines.join('\r\n')}\r\n\r\n`);
      socket.pause();
    }
    const deaf = ends.slice();
    await until(async () => (await feed()).status === 200, { what: 'a place for one who reads' });
    await until(() => deaf.every((end) => end.destroyed), { what: 'the end of what nobody reads' });
    expect(deaf).toHaveLength(PLACES);
  });

  it('take no places of other calls', async () => {
    const served = [feed(), feed()];
    await allAsked();
    expect((await gateway.call('GET', '/api/config')).status).toBe(200);
    answerAll();
    await Promise.all(served);
  });

  it('give their places back when their clients hang up', async () => {
    const head = `GET /api/feed HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token}\r\n\r\n`;
    const gone = [await rawConnection(gateway.url, head), await rawConnection(gateway.url, head)];
    await allAsked();
    for (const { socket } of gone) socket.destroy();
    const asking: Promise<Response>[] = [];
    const askAgain = () => {
      asking.push(feed());
      return asked > PLACES;
    };
    await until(askAgain, { what: 'a call in a place that was given back' });
    answerAll();
    const statuses = (await Promise.all(asking)).map(({ status }) => status);
    expect(statuses).toContain(200);
  });

  it('do not include those whose bodies are on their way', async () => {
    const path = `/api/posts/${POST_ID}/comments`;
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${gateway.token}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    ];
    const text = `${head.join('\r\n')}\r\n\r\n{`;
    const slow = await Promise.all(
      Array.from({ length: PLACES + 1 }, () => rawConnection(gateway.url, text)),
    );
    expect((await gateway.call('POST', path, { json: { content: 'x' } })).status).toBe(201);
    for (const { socket } of slow) socket.destroy();
  });
});

// Rule: ACCT-14, LIMIT-9
describe('logins that are made to wait', () => {
  const from = (index: number) => ({ 'x-forwarded-for': `203.0.113.${index}` });
  const logIn = (email: string, index: number) =>
    gateway.call('POST', '/api/auth/login', {
      token: null,
      json: { email, password: 'x' },
      headers: from(index),
    });
  let delays: number[];
  let goOn: () => void;

  /** From the second wrong password on, all logins to Ana's account wait until `goOn`. */
  beforeEach(async () => {
    await gateway.close();
    delays = [];
    const going = new Promise<void>((resolve) => (goOn = resolve));
    const delay = async (milliseconds: number) => {
      delays.push(milliseconds);
      await going;
    };
    gateway = await startTestGateway({
      RATE_LIMIT_FACTOR: 0.01,
      TRUSTED_PROXIES: 1,
      maxConcurrentPerRoute: PLACES,
      delay,
    });
  });

  /** As many logins to Ana's account as the route has places, all waiting. */
  async function guess(): Promise<Promise<Response>[]> {
    const { logIn: judge } = gateway.identity;
    gateway.identity.logIn = () => Promise.reject(new DomainError('invalid-credential', 'Wrong'));
    expect((await logIn('ana@example.com', 1)).status).toBe(401);
    gateway.identity.logIn = judge;
    const waiting = Array.from({ length: PLACES }, (_, index) => logIn('ana@example.com', 2 + index));
    await until(() => delays.length === PLACES, { what: 'as many waiting logins as have places' });
    return waiting;
  }

  it('keep nobody else from logging in', async () => {
    const waiting = await guess();
    expect((await logIn('ben@example.com', 9)).status).toBe(200);
    goOn();
    for (const one of waiting) expect((await one).status).toBe(200);
  });

  it('are refused after it when the route is full, and have not counted as guesses', async () => {
    const waiting = await guess();
    const answers = gate('the answers of identity');
    const { logIn: judge } = gateway.identity;
    let judging = 0;
    gateway.identity.logIn = async (request) => {
      judging += 1;
      await answers.opened;
      return judge!(request);
    };
    const served = [logIn('ben@example.com', 8), logIn('eva@example.com', 9)];
    await until(() => judging === PLACES, { what: 'as many logins at identity as have places' });
    goOn();
    for (const one of waiting) expect((await one).status).toBe(503);
    answers.open();
    for (const one of served) expect((await one).status).toBe(200);
    delays = [];
    expect((await logIn('ana@example.com', 7)).status).toBe(200);
    // One beyond the limit, as the first of them.
    expect(delays).toEqual([250]);
  });
});

describe('clients that leave while their limits are counted in another process', () => {
  const limits = new SlowRateLimits();
  const slow = (options: TestGatewayOptions) =>
    startTestGateway({ RATE_LIMIT_FACTOR: 100, rateLimits: limits, ...options });

  /** Resolves when the gateway has seen that all of them have left. */
  async function leave(path: string, count: number, { method = 'GET', at }: Leaving = {}) {
    limits.hold(at);
    let gone = 0;
    const accepted = (message: unknown) =>
      (message as { socket: Socket }).socket.once('close', () => (gone += 1));
    subscribe('net.server.socket', accepted);
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${gateway.token}`];
    if (method === 'POST') lines.push(...Object.entries(UPLOAD).map((header) => header.join(': ')));
    const head = `${lines.join('\r\n')}\r\n\r\n`;
    for (let index = 0; index < count; index += 1) {
      const { socket } = await rawConnection(gateway.url, head);
      await until(() => limits.waiting === index + 1, { what: 'the request at its limits' });
      socket.resetAndDestroy();
    }
    await until(() => gone === count, { what: 'the gateway to see that all have left' });
    unsubscribe('net.server.socket', accepted);
  }

  interface Leaving {
    method?: string;
    /** The limit that is being counted. */
    at?: RateLimitName;
  }

  const UPLOAD = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '6' };

  beforeEach(() => gateway.close());

  // Rule: LIMIT-10
  it.each<[string, RateLimitName, string, string]>([
    ['files', 'media-address', 'GET', `/media/${MEDIA_ID}/full`],
    ['uploads', 'any-address', 'POST', '/api/media/images'],
    ['uploads', 'any-account', 'POST', '/api/media/images'],
  ])('keep no places of %s (%s)', async (_what, at, method, path) => {
    const media = await startListener(
      async (request, response) => void (await takeUpload(request, response)),
    );
    gateway = await slow({
      MEDIA_BYTES_URL: media.url,
      mediaLimits: { uploads: { perAccount: PLACES, waitMs: 50 }, files: { file: { perAddress: PLACES } } },
    });
    await leave(path, PLACES, { method, at });
    limits.release();
    const body = method === 'POST' ? '--x--\n' : undefined;
    const { status } = await gateway.call(method, path, { body, headers: body ? UPLOAD : {} });
    expect([status, media.requests.length]).toEqual([201, 1]);
    await media.close();
  });

  // Rule: LIMIT-9
  it('keep no places of calls', async () => {
    gateway = await slow({ maxConcurrentPerRoute: PLACES });
    await leave('/api/feed', PLACES);
    limits.release();
    expect((await feed()).status).toBe(200);
  });

  // Rule: NOTIF-8
  it.each<RateLimitName>(['any-address', 'any-account'])('keep no places of streams (%s)', async (at) => {
    gateway = await slow({ eventStreams: { perAccount: PLACES } });
    await leave('/api/events', PLACES, { at });
    limits.release();
    const stream = await gateway.call('GET', '/api/events');
    expect(stream.status).toBe(200);
    await stream.body!.cancel();
  });
});

// Rule: LIMIT-5
it('a call is refused while the event loop is behind, like any other refusal, and counted', async () => {
  const registry = new Registry();
  const at = await startGatewayForThisTest({ registry, MAX_EVENT_LOOP_DELAY_MS: 50 });
  const busy = setInterval(() => {
    const end = performance.now() + 100;
    while (performance.now() < end);
  });
  onTestEnd(() => clearInterval(busy));
  const refused = await until(
    async () => [await at.call('GET', '/api/config')].find(({ status }) => status === 503),
    { what: 'a refusal' },
  );
  clearInterval(busy);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toMatchObject({
    code: 'unavailable',
    requestId: refused.headers.get('x-request-id'),
  });
  await until(async () => (await at.call('GET', '/api/config')).status === 200, {
    what: 'an answer, the loop being free',
  });
  const metrics = await registry.metrics();
  const refusals = /pulso_http_refusals_total (\d+)/.exec(metrics)?.[1];
  expect(Number(refusals)).toBeGreaterThan(0);
  expect(metrics).toContain(
    `pulso_http_request_duration_seconds_count{method="GET",route="unrouted",status="503"} ${refusals}`,
  );
  const { headers } = await at.call('GET', '/api/nope');
  for (const name of ['content-security-policy', 'x-content-type-options', 'content-type']) {
    expect([name, refused.headers.get(name)]).toEqual([name, headers.get(name)]);
  }
});
