import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { aVideo } from '../../../test/a-video.js';
import { fakeGateway, problem } from '../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../test/fake-gateway.js';
import type { Badges } from '../../api/types.js';
import { clearBadges, getBadges, setBadges, showRead } from './badges.js';
import { useLiveEvents } from './live-events.js';
import { startLive } from './live.js';
import { session } from '../session/session.js';
import { getReadAfter } from '../http/read-after.js';

let gateway: FakeGateway;
let stop: (() => void) | undefined;
let visibility: DocumentVisibilityState;

beforeEach(() => {
  jest.useFakeTimers();
  gateway = fakeGateway();
  visibility = 'visible';
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
});
afterEach(() => {
  stop?.();
  stop = undefined;
  clearBadges();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const asked = () => gateway.calls.filter((call) => call === 'GET /api/badges').length;
const show = (state: DocumentVisibilityState) => {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
};

/** The channel between tabs: what this tab says, and how it hears another one. */
let hear: (data: unknown) => void;
function posted(): unknown[] {
  const said: unknown[] = [];
  jest.spyOn(globalThis, 'BroadcastChannel').mockImplementation(() => {
    const channel = { onmessage: null, postMessage: (data: unknown) => void said.push(data), close() {} };
    hear = (data) => (channel as unknown as BroadcastChannel).onmessage!({ data } as MessageEvent);
    return channel as unknown as BroadcastChannel;
  });
  return said;
}

// Rule: NOTIF-9
describe('without a stream', () => {
  beforeEach(() => {
    gateway.on('GET /api/events', () => problem(503, 'unavailable'));
    gateway.on('GET /api/badges', () => ({ notifications: 2, messages: 1 }));
  });

  it('asks for the counts at once and every 5000 ms', async () => {
    stop = startLive('ben');
    await jest.advanceTimersByTimeAsync(0);
    expect(getBadges()).toEqual({ notifications: 2, messages: 1 });
    const before = asked();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked()).toBe(before + 1);
  });

  it('does not ask while the tab is hidden, and at once when it is shown', async () => {
    visibility = 'hidden';
    stop = startLive('ben');
    await jest.advanceTimersByTimeAsync(20_000);
    expect(asked()).toBe(0);
    show('visible');
    await jest.advanceTimersByTimeAsync(0);
    expect(asked()).toBe(1);
  });

  it('does not ask while a log-out waits for its answer, and does again if that failed', async () => {
    let fail: ((error: Error) => void) | undefined;
    gateway.on('POST /api/auth/logout', () => new Promise<Response>((_, reject) => (fail = reject)));
    stop = startLive('ben');
    await jest.advanceTimersByTimeAsync(0);
    const before = asked();
    const leaving = session.signOut().catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(5_000);
    expect([asked(), fail]).toEqual([before, expect.any(Function)]);
    fail!(new TypeError('offline'));
    expect(await leaving).toBeInstanceOf(Error);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked()).toBe(before + 1);
  });

  it('takes the counts that fall, because something was read elsewhere, and those that rise', async () => {
    stop = startLive('ben');
    for (const badges of [
      { notifications: 0, messages: 1 },
      { notifications: 0, messages: 0 },
      { notifications: 4, messages: 12 },
    ]) {
      gateway.on('GET /api/badges', () => badges);
      await jest.advanceTimersByTimeAsync(5_000);
      expect(getBadges()).toEqual(badges);
    }
  });

  describe('and something is read here', () => {
    /** The answers that are under way, oldest first: each is given what the server counted when it was asked. */
    const answers: ((badges: Badges) => void)[] = [];
    beforeEach(async () => {
      stop = startLive('ben');
      await jest.advanceTimersByTimeAsync(0);
      answers.length = 0;
      gateway.on('GET /api/badges', () => new Promise<Badges>((resolve) => answers.push(resolve)));
    });
    const answer = async (badges: Badges) => {
      answers.shift()!(badges);
      await jest.advanceTimersByTimeAsync(0);
    };

    it('does not take an answer from before that, and asks at once when the server knows', async () => {
      await jest.advanceTimersByTimeAsync(5_000);
      const answered = showRead({ messages: 0 });
      await answer({ notifications: 2, messages: 1 });
      expect(getBadges()).toEqual({ notifications: 2, messages: 0 });
      answered(true);
      await jest.advanceTimersByTimeAsync(0);
      await answer({ notifications: 1, messages: 0 });
      expect(getBadges()).toEqual({ notifications: 1, messages: 0 });
    });

    it('does not take an answer that was asked for while the server did not know', async () => {
      const answered = showRead({ messages: 0 });
      await jest.advanceTimersByTimeAsync(5_000);
      answered(true);
      await answer({ notifications: 2, messages: 1 });
      expect(getBadges()).toEqual({ notifications: 2, messages: 0 });
      await answer({ notifications: 2, messages: 0 });
      await jest.advanceTimersByTimeAsync(5_000);
      expect(answers).toHaveLength(1);
    });

    it('reads again what is shown when as many have arrived as were read', async () => {
      const reloads = jest.fn();
      const { unmount } = renderHook(() => useLiveEvents(reloads));
      showRead({ messages: 1 })(true);
      await jest.advanceTimersByTimeAsync(0);
      await answer({ notifications: 2, messages: 1 });
      expect(reloads.mock.calls).toEqual([[{ type: 'reload' }]]);
      await jest.advanceTimersByTimeAsync(5_000);
      await answer({ notifications: 2, messages: 1 });
      expect(reloads).toHaveBeenCalledTimes(1);
      unmount();
    });

    it('shows the numbers again when that failed, unless they were told anew', () => {
      showRead({ messages: 0 })(false);
      expect(getBadges()).toEqual({ notifications: 2, messages: 1 });
      const answered = showRead({ notifications: 0 });
      setBadges({ notifications: 0, messages: 5 });
      answered(false);
      expect(getBadges()).toEqual({ notifications: 0, messages: 5 });
    });
  });

  it('tells a new tab of no counts, which may be older than those of the others', async () => {
    const told = posted();
    stop = startLive('ben');
    await jest.advanceTimersByTimeAsync(0);
    told.length = 0;
    hear({ type: 'hello' });
    expect(told).toEqual([{ type: 'state', up: false, badges: undefined }]);
  });

  it('ends with the session', async () => {
    stop = startLive('ben');
    await jest.advanceTimersByTimeAsync(0);
    stop();
    const before = gateway.calls.length;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(gateway.calls.length).toBe(before);
  });
});

// Rule: HTTP-33
it('an event that names a write has what it opens asked for with that, in each tab', async () => {
  const frame = 'event: subscribers\nid: the write\ndata: {}\n\n';
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(frame)),
  });
  gateway.on('GET /api/events', () => new Response(body));
  const told = posted();
  const known: unknown[] = [];
  const { unmount } = renderHook(() => useLiveEvents(({ type }) => void known.push([type, getReadAfter()])));
  stop = startLive('ben');
  await jest.advanceTimersByTimeAsync(10);
  expect(known.at(-1)).toEqual(['subscribers', 'the write']);
  expect(told.at(-1)).toEqual({ type: 'event', event: { name: 'subscribers', data: '{}', id: 'the write' } });
  hear({ type: 'event', event: { name: 'subscribers', data: '{}', id: 'the next' } });
  expect(known.at(-1)).toEqual(['subscribers', 'the next']);
  stop();
  expect(getReadAfter()).toBeUndefined();
  unmount();
});

// Rule: NOTIF-8
it('with a stream takes the counts from it and asks for nothing', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(
        new TextEncoder().encode('event: badges\ndata: {"notifications":0,"messages":7}\n\n'),
      ),
  });
  gateway.on('GET /api/events', () => new Response(body));
  gateway.on('GET /api/badges', () => ({ notifications: 0, messages: 7 }));
  const told = posted();
  stop = startLive('ben');
  await jest.advanceTimersByTimeAsync(10);
  expect(getBadges()).toEqual({ notifications: 0, messages: 7 });
  hear({ type: 'hello' });
  expect(told.at(-1)).toEqual({ type: 'state', up: true, badges: getBadges() });
  const before = asked();
  await jest.advanceTimersByTimeAsync(20_000);
  expect(asked()).toBe(before);
});

// Rule: NOTIF-12
it('tells what the server has made of an upload', async () => {
  const media = aVideo();
  const frame = `event: post-media\ndata: ${JSON.stringify({ postId: 'p1', media })}\n\n`;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(frame)),
  });
  gateway.on('GET /api/events', () => new Response(body));
  const heard: unknown[] = [];
  const { unmount } = renderHook(() => useLiveEvents((event) => void heard.push(event)));
  stop = startLive('ben');
  await jest.advanceTimersByTimeAsync(10);
  expect(heard).toContainEqual({ type: 'post-media', data: { postId: 'p1', media } });
  unmount();
});
