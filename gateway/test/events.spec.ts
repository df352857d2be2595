import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import type { Message, Notification } from '@pulso/contracts/messaging/v1/messaging';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { Registry } from 'prom-client';
import { CutSignals } from './support/cut-signals.js';
import { EventReader } from './support/event-reader.js';
import { aMessage, aNotification, OTHER_ID, SESSION_ID, TIME, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './support/start-test-gateway.js';

let gateway: TestGateway;
let signals: CutSignals;
let registry: Registry;
let news: { messages: Message[]; notifications: Notification[]; unread: number; more: boolean; cut?: true };
const open: EventReader[] = [];

async function start(options: TestGatewayOptions = {}) {
  signals = new CutSignals();
  registry = new Registry();
  news = { messages: [], notifications: [], unread: 0, more: false };
  gateway = await startTestGateway({ signals, registry, ...options });
  gateway.messaging.listNews = () =>
    Promise.resolve({
      counts: { notifications: 0, messages: news.unread },
      messages: [...news.messages],
      notifications: [...news.notifications],
      ...{ moreMessages: news.more, moreNotifications: news.cut === true },
    });
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((reader) => reader.cancel()));
  await gateway?.close();
});

async function request(token = gateway.token): Promise<Response> {
  return gateway.call('GET', '/api/events', { token });
}

/** An open stream after its first event. */
async function stream(token?: string): Promise<EventReader> {
  const reader = new EventReader(await request(token));
  open.push(reader);
  expect(await reader.next()).toEqual({ event: 'badges', data: badges() });
  return reader;
}

/** Signals come in the order in which they are sent. */
const allHeard = () =>
  new Promise<void>((resolve) => {
    const end = signals.listen({ heard: (channel) => channel === 'last' && (end(), resolve()) });
    signals.send('last');
  });
const badges = () => ({ notifications: 0, messages: news.unread });
const signal = (userId = USER_ID) => signals.send(`user:${userId}`);
const problemOf = async (response: Response) => {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code, response.headers.get('retry-after')];
};
const reads = () => gateway.calls.filter(({ method }) => method === 'listNews');
const metric = async (name: string) => (await registry.getSingleMetric(name)!.get()).values;

// Rule: NOTIF-8
describe('a stream of events', () => {
  it('begins with the badges, is never compressed and asks for a new connection after it', async () => {
    await start();
    news.unread = 3;
    const { response } = await stream();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-cache',
      vary: 'Authorization',
      connection: 'close',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.has('content-encoding')).toBe(false);
    expect((await metric('pulso_event_streams'))[0]!.value).toBe(1);
  });

  it('tells on a signal what is new, each once, and the badges with it and when they have changed', async () => {
    await start();
    news.messages.push(aMessage({ content: 'Before it began' }));
    const reader = await stream();
    const message = aMessage({ id: newId() });
    news.messages.push(message);
    news.unread = 1;
    signal();
    expect([await reader.next(), await reader.next()]).toEqual([
      { event: 'message', data: expect.objectContaining({ id: message.id, createdAt: expect.any(String) }) },
      { event: 'badges', data: badges() },
    ]);
    // One is read and another one comes before the next reading: the page has counted the first one down itself.
    const notification = aNotification({ id: newId() });
    news.notifications.push(notification);
    signal();
    expect(await reader.next()).toMatchObject({ event: 'notification', data: { id: notification.id } });
    expect(await reader.next()).toEqual({ event: 'badges', data: badges() });
    news.unread = 0;
    signal();
    expect(await reader.next()).toEqual({ event: 'badges', data: badges() });
  });

  // Rule: NOTIF-3
  it('tells once what is taken back and given again', async () => {
    await start();
    const reader = await stream();
    const notification = aNotification({ id: newId() });
    news.notifications.push(notification);
    signal();
    expect(await reader.next()).toMatchObject({ event: 'notification', data: { id: notification.id } });
    expect(await reader.next()).toMatchObject({ event: 'badges' });
    for (let round = 1; round <= 3; round += 1) {
      for (const notifications of [[], [notification]]) {
        news = { ...news, notifications, unread: news.unread + 1 };
        signal();
        expect(await reader.next()).toEqual({ event: 'badges', data: badges() });
      }
    }
  });

  it('reads since the reading before, with an overlap, by the token of its own request', async () => {
    await start();
    const reader = await stream();
    gateway.clock.advance(200_000);
    news.unread = 1;
    signal();
    await reader.next();
    gateway.clock.advance(1_000);
    news.unread = 2;
    signal();
    await reader.next();
    expect(reads().map(({ request: asked }) => asked)).toEqual([
      { since: TIME - 60_000 },
      { since: TIME - 60_000 },
      { since: TIME + 140_000 },
    ]);
    for (const { context } of reads()) {
      expect(context).toMatchObject({ authorization: `Bearer ${gateway.token}`, after: [] });
      expect(context!.deadline).toBeLessThanOrEqual(gateway.clock.now() + 5_000);
    }
  });

  it('of one user shares its readings with the others, and signals during a reading cause one more', async () => {
    await start();
    const [first, second] = [await stream(), await stream()];
    const { listNews } = gateway.messaging;
    const asked = new EventEmitter();
    gateway.messaging.listNews = async (...args) => {
      const answer = await listNews!(...args);
      asked.emit('asked');
      await once(asked, 'go on');
      return answer;
    };
    gateway.calls.length = 0;
    const begun = once(asked, 'asked');
    signal();
    await begun;
    for (let count = 0; count < 20; count += 1) signal();
    await allHeard();
    const message = aMessage({ id: newId() });
    news.messages.push(message);
    const again = once(asked, 'asked');
    asked.emit('go on');
    await again;
    asked.emit('go on');
    for (const reader of [first, second]) {
      expect(await reader.next()).toMatchObject({ event: 'message', data: { id: message.id } });
    }
    expect(reads()).toHaveLength(2);
  });

  // Rule: NOTIF-13
  it('reads no sooner than the pace allows, and for other users at once', async () => {
    await start({ readEveryMs: 600_000 });
    await stream();
    for (let count = 0; count < 20; count += 1) {
      signal();
      await allHeard();
    }
    expect(reads()).toHaveLength(1);
    await stream(await gateway.tokenFor(OTHER_ID));
    expect(reads().map(({ context }) => context!.caller!.userId)).toEqual([USER_ID, OTHER_ID]);
  });

  // Rule: NOTIF-13
  it('goes on where messaging leaves out what was told before', async () => {
    await start();
    const reader = await stream();
    const [first, second] = [aMessage({ id: newId() }), aMessage({ id: newId() })];
    news = { ...news, messages: [first], more: false };
    signal();
    expect(await reader.next()).toMatchObject({ event: 'message', data: { id: first.id } });
    expect(await reader.next()).toMatchObject({ event: 'badges' });
    news = { ...news, messages: [first, second], more: true };
    signal();
    expect(await reader.next()).toMatchObject({ event: 'message', data: { id: second.id } });
  });

  it('tells nothing of others', async () => {
    await start();
    const reader = await stream();
    gateway.calls.length = 0;
    signal(OTHER_ID);
    news.unread = 1;
    signal();
    expect(await reader.next()).toMatchObject({ event: 'badges' });
    expect(reads().map(({ context }) => context!.caller!.userId)).toEqual([USER_ID]);
  });

  it('is not opened by a token in the address', async () => {
    await start();
    for (const name of ['access_token', 'token', 'authorization']) {
      const path = `/api/events?${name}=${gateway.token}`;
      expect(await problemOf(await gateway.call('GET', path, { token: null }))).toEqual([
        401,
        'not-authenticated',
        null,
      ]);
    }
    expect(reads()).toEqual([]);
  });

  it('is refused as messaging refuses', async () => {
    await start();
    gateway.messaging.listNews = () => Promise.reject(unavailable());
    expect(await problemOf(await request())).toEqual([503, 'unavailable', '1']);
    expect((await metric('pulso_event_streams'))[0]!.value).toBe(0);
  });

  it('answers HEAD without a stream', async () => {
    await start();
    const response = await gateway.call('HEAD', '/api/events');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('has heartbeats', async () => {
    await start({ eventStreams: { heartbeatMs: 20 } });
    const reader = await stream();
    await reader.comment();
    await reader.comment();
    expect(reader.comments).toBe(2);
  });
});

// Rule: NOTIF-8, HTTP-33
describe('a stream of events ends', () => {
  it('with its token', async () => {
    await start({ tokenSeconds: 30 });
    const reader = await stream();
    gateway.clock.advance(30_000);
    expect(await reader.rest()).toEqual([]);
    expect(await metric('pulso_event_streams_ended_total')).toMatchObject([
      { labels: { reason: 'token' }, value: 1 },
    ]);
  });

  it('with its session, and no other session’s', async () => {
    await start();
    const reader = await stream();
    const other = await stream(await gateway.tokenFor(USER_ID, newId()));
    gateway.identity.listEndedSessions = () =>
      Promise.resolve({ sessions: [{ id: SESSION_ID, endedAt: TIME }], more: false });
    // As a gateway tells the others.
    signals.send('ended-sessions');
    expect(await reader.rest()).toEqual([]);
    news.unread = 1;
    signal();
    expect(await other.next()).toMatchObject({ event: 'badges' });
  });

  it('when the gateway drains, politely, and no other one is opened', async () => {
    await start();
    const reader = await stream();
    const closing = gateway.close();
    expect(await reader.rest()).toEqual([]);
    await closing;
  });

  it('when signals are lost; new ones are refused until they come again', async () => {
    await start();
    const reader = await stream();
    signals.lose();
    expect(await reader.rest()).toEqual([]);
    expect(await problemOf(await request())).toEqual([503, 'unavailable', '1']);
    signals.resume();
    await stream();
  });

  it('when messaging does not answer a reading', async () => {
    await start();
    const reader = await stream();
    const { listNews } = gateway.messaging;
    gateway.messaging.listNews = () => Promise.reject(unavailable());
    signal();
    expect(await reader.rest()).toEqual([]);
    gateway.messaging.listNews = listNews;
    await stream();
  });

  it('when there may be more news than messaging tells at once', async () => {
    await start();
    const reader = await stream();
    news.messages = Array.from({ length: 50 }, () => aMessage({ id: newId() }));
    signal();
    expect(await reader.rest()).toEqual([]);
  });

  // Rule: NOTIF-13
  it.each(['messages', 'notifications'])('when messaging has left out %s that may be new', async (what) => {
    await start();
    const reader = await stream();
    news = what === 'messages' ? { ...news, messages: [aMessage()], more: true } : { ...news, cut: true };
    signal();
    expect(await reader.rest()).toEqual([]);
  });

  it('when its reader does not read', async () => {
    await start({ eventStreams: { slowReaderMs: 100 } });
    const { port, hostname } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    onTestEnd(() => socket.destroy());
    socket.on('error', () => undefined);
    const head = `GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token}\r\n\r\n`;
    socket.write(head);
    await once(socket, 'readable');
    const ended = async () =>
      (await metric('pulso_event_streams_ended_total')).some(({ labels }) => labels.reason === 'slow');
    const endedByMore = async () => {
      news.messages = Array.from({ length: 40 }, () =>
        aMessage({ id: newId(), content: '💪'.repeat(4_000) }),
      );
      signal();
      return ended();
    };
    await until(endedByMore, { what: 'the end of the stream that nobody reads' });
    expect((await metric('pulso_event_streams'))[0]!.value).toBe(0);
  });

  it('when its reader leaves, which makes room', async () => {
    await start({ eventStreams: { perAccount: 1 } });
    const reader = await stream();
    await reader.cancel();
    const opened = async () => {
      const response = await request();
      return response.status !== 429 && response;
    };
    const response = await until(opened, { what: 'room for another stream' });
    open.push(new EventReader(response));
    expect(response.status).toBe(200);
  });
});

// Rule: HTTP-33
describe('streams of events are bounded', () => {
  it('by account', async () => {
    await start({ eventStreams: { perAccount: 2 } });
    await stream();
    await stream();
    expect(await problemOf(await request())).toEqual([429, 'too-many-requests', '10']);
    await stream(await gateway.tokenFor(OTHER_ID));
  });

  it('by address, which may have many accounts', async () => {
    await start({ eventStreams: { perAddress: 2 }, TRUSTED_PROXIES: 1 });
    const at = async (address: string) => {
      const token = await gateway.tokenFor(newId());
      return gateway.call('GET', '/api/events', { token, headers: { 'x-forwarded-for': address } });
    };
    for (let count = 0; count < 2; count += 1) open.push(new EventReader(await at('203.0.113.1')));
    const refused = await at('203.0.113.1');
    expect(refused.status).toBe(429);
    expect(await problemOf(refused)).toEqual([429, 'too-many-requests', '10']);
    const elsewhere = await at('203.0.113.2');
    open.push(new EventReader(elsewhere));
    expect(elsewhere.status).toBe(200);
  });

  it('by process, and other calls are not', async () => {
    await start({ eventStreams: { perProcess: 3 }, maxConcurrentPerRoute: 1 });
    await stream();
    await stream(await gateway.tokenFor(OTHER_ID));
    await stream(await gateway.tokenFor(OTHER_ID));
    expect(await problemOf(await request())).toEqual([503, 'unavailable', '1']);
    expect((await gateway.call('GET', '/api/badges')).status).toBe(200);
  });
});
