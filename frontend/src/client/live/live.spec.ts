import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeGateway, problem } from '../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../test/fake-gateway.js';
import { clearBadges, getBadges } from './badges.js';
import { startLive } from './live.js';

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
  jest.useRealTimers();
});

const asked = () => gateway.calls.filter((call) => call === 'GET /api/badges').length;
const show = (state: DocumentVisibilityState) => {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
};

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

  it('ends with the session', async () => {
    stop = startLive('ben');
    await jest.advanceTimersByTimeAsync(0);
    stop();
    const before = gateway.calls.length;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(gateway.calls.length).toBe(before);
  });
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
  stop = startLive('ben');
  await jest.advanceTimersByTimeAsync(10);
  expect(getBadges()).toEqual({ notifications: 0, messages: 7 });
  const before = asked();
  await jest.advanceTimersByTimeAsync(20_000);
  expect(asked()).toBe(before);
});
