import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import type { SignalListener } from '@pulso/platform/signals/signals';
import { CONVERSATION_ID, MESSAGE_ID, OTHER_ID, USER_ID } from './support/fake-clients.js';
import { type CallOptions, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
let signals: InProcessSignals;
const listeners: SignalListener[] = [];
let messages: number;

beforeEach(async () => {
  signals = new InProcessSignals();
  const { listen } = signals;
  listeners.length = 0;
  signals.listen = (listener) => {
    listeners.push(listener);
    return listen.call(signals, listener);
  };
  gateway = await startTestGateway({ signals });
  messages = 1;
  gateway.messaging.getUnreadCounts = () => Promise.resolve({ notifications: 0, messages });
});
afterEach(() => gateway?.close());

const badges = async (options?: CallOptions) =>
  ((await (await gateway.call('GET', '/api/badges', options)).json()) as { messages: number }).messages;
const reads = () => gateway.calls.filter(({ method }) => method === 'getUnreadCounts').length;

/** Resolves when everyone has heard a signal. */
async function heard(channel: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = signals.listen({ heard: () => (end(), resolve()) });
    signals.send(channel);
  });
}

// Rule: NOTIF-8
describe('badges that are asked for again and again', () => {
  it('are read once, for each user by themselves', async () => {
    expect([await badges(), await badges()]).toEqual([1, 1]);
    messages = 5;
    expect(await badges()).toBe(1);
    expect(await badges({ token: await gateway.tokenFor(OTHER_ID) })).toBe(5);
    expect(reads()).toBe(2);
  });

  it('are read again after a signal for the user, and for no other one', async () => {
    await badges();
    messages = 2;
    await heard(`user:${OTHER_ID}`);
    expect(await badges()).toBe(1);
    await heard(`user:${USER_ID}`);
    expect(await badges()).toBe(2);
  });

  it('are read again after half a minute without a signal', async () => {
    await badges();
    messages = 2;
    gateway.clock.advance(29_999);
    expect(await badges()).toBe(1);
    gateway.clock.advance(1);
    expect(await badges()).toBe(2);
  });

  it('are read each time while signals are lost, and anew when they come again', async () => {
    await badges();
    for (const listener of listeners) listener.lost?.();
    messages = 2;
    expect(await badges()).toBe(2);
    messages = 3;
    expect(await badges()).toBe(3);
    for (const listener of listeners) listener.resumed?.();
    messages = 4;
    expect(await badges()).toBe(4);
  });

  // Rule: HTTP-2
  it('show the caller’s own reading at once', async () => {
    for (const [path, json] of [
      [`/api/conversations/${CONVERSATION_ID}/read`, { upTo: MESSAGE_ID }],
      ['/api/notifications/read', {}],
    ] as const) {
      await badges();
      messages += 1;
      await gateway.call('POST', path, { json });
      expect(await badges()).toBe(messages);
    }
  });

  it('that a signal has made old while they were read are not kept', async () => {
    let answer = (_counts: { notifications: number; messages: number }) => undefined as void;
    let asked = () => undefined as void;
    const begun = new Promise<void>((resolve) => (asked = resolve));
    gateway.messaging.getUnreadCounts = () => {
      asked();
      return new Promise((resolve) => (answer = resolve));
    };
    const first = badges();
    await begun;
    await heard(`user:${USER_ID}`);
    answer({ notifications: 0, messages: 1 });
    expect(await first).toBe(1);
    gateway.messaging.getUnreadCounts = () => Promise.resolve({ notifications: 0, messages: 2 });
    expect(await badges()).toBe(2);
  });

  it('have an ETag, which covers the viewer', async () => {
    const etag = async (token?: string) =>
      (await gateway.call('GET', '/api/badges', { token })).headers.get('etag')!;
    const own = await etag();
    expect(await etag()).toBe(own);
    expect(await etag(await gateway.tokenFor(OTHER_ID))).not.toBe(own);
    const headers = { 'if-none-match': own };
    const unchanged = await gateway.call('GET', '/api/badges', { headers });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    messages = 9;
    await heard(`user:${USER_ID}`);
    expect((await gateway.call('GET', '/api/badges', { headers })).status).toBe(200);
  });
});
