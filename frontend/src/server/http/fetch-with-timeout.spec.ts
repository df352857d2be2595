import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { aBlob } from '../../../test/a-file.js';

const media = globalThis.matchMedia;
const realFetch = globalThis.fetch;
// Of Node itself: all later files of the process have it, too.
const realTimeout = AbortSignal.timeout;

beforeEach(() => {
  jest.resetModules();
  jest.useFakeTimers();
  globalThis.fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error));
    });
  // jest's timers do not reach into Node's own AbortSignal.timeout.
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms);
    return controller.signal;
  };
});
afterEach(() => {
  jest.useRealTimers();
  globalThis.matchMedia = media;
  globalThis.fetch = realFetch;
  AbortSignal.timeout = realTimeout;
});

async function asked(coarse: boolean, init?: RequestInit, call: string | Request = '/api/config') {
  globalThis.matchMedia = (query) => ({ ...media(query), matches: coarse });
  const { fetchWithTimeout } = await import('./fetch-with-timeout.js');
  const state = { error: undefined as unknown };
  fetchWithTimeout(call, init).catch((error: unknown) => (state.error = error));
  return state;
}

// Rule: LIMIT-6
describe('a call without an answer', () => {
  it.each([
    ['30 s on a desktop', false, 30_000],
    ['60 s on a phone', true, 60_000],
  ])('ends after %s', async (_where, coarse, ms) => {
    const call = await asked(coarse);
    await jest.advanceTimersByTimeAsync(ms - 1);
    expect(call.error).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.error).toMatchObject({ name: 'TimeoutError' });
  });

  const anUpload = () => {
    const form = new FormData();
    form.append('file', aBlob(), 'image.jpg');
    return new Request('http://localhost/api/media/images', { method: 'POST', body: form });
  };
  it.each([
    ['an upload', anUpload],
    ['the export', () => new Request('http://localhost/api/me/export')],
    ['the beginning of an archive', () => new Request('http://localhost/api/me/archive', { method: 'POST' })],
  ])('ends after 3 minutes where it is %s', async (_what, request) => {
    const call = await asked(false, {}, request());
    await jest.advanceTimersByTimeAsync(179_999);
    expect(call.error).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.error).toMatchObject({ name: 'TimeoutError' });
  });

  it('ends earlier when its caller ends it', async () => {
    const controller = new AbortController();
    const call = await asked(false, { signal: controller.signal });
    controller.abort();
    await jest.advanceTimersByTimeAsync(0);
    expect(call.error).toMatchObject({ name: 'AbortError' });
  });
});

// Rule: LIMIT-7
describe('a call without an answer, while the browser says that it is offline,', () => {
  const connection = (isOn: boolean) => {
    Object.defineProperty(navigator, 'onLine', { value: isOn, configurable: true });
    window.dispatchEvent(new Event(isOn ? 'online' : 'offline'));
  };
  afterEach(() => connection(true));

  it('ends after 5 s', async () => {
    connection(false);
    const call = await asked(true);
    await jest.advanceTimersByTimeAsync(4999);
    expect(call.error).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.error).toMatchObject({ name: 'TimeoutError' });
  });

  it('ends 5 s after that has begun, and not when it has passed', async () => {
    const call = await asked(false);
    await jest.advanceTimersByTimeAsync(10_000);
    connection(false);
    await jest.advanceTimersByTimeAsync(4999);
    connection(true);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(call.error).toBeUndefined();
    connection(false);
    await jest.advanceTimersByTimeAsync(5000);
    expect(call.error).toMatchObject({ name: 'TimeoutError' });
  });
});
