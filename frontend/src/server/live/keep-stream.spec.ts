import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/dom';
import { keepStream, waitAfter } from './keep-stream.js';
import type { StreamEvent } from './event-stream.js';

const bytes = new TextEncoder();

/** A server's stream that the test writes to. */
function aStream() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  return {
    response: new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }),
    write: (text: string) => controller.enqueue(bytes.encode(text)),
    end: () => controller.close(),
  };
}

let over: AbortController;
beforeEach(() => {
  over = new AbortController();
});
afterEach(() => {
  over.abort();
  jest.useRealTimers();
});

// Rule: NOTIF-8
describe('the stream of events', () => {
  it('gives each event, also one that arrives in pieces, between heartbeats', async () => {
    const stream = aStream();
    const events: StreamEvent[] = [];
    const states: boolean[] = [];
    void keepStream({
      send: async () => stream.response,
      signal: over.signal,
      onState: (up) => states.push(up),
      onEvent: (event) => events.push(event),
    });
    stream.write(': heartbeat\n\nevent: badges\ndata: {"notif');
    stream.write('ications":1}\n\n: heartbeat\n\nevent: message\ndata: {}\n\n');
    await waitFor(() => expect(events).toHaveLength(2));
    expect(events).toEqual([
      { name: 'badges', data: '{"notifications":1}' },
      { name: 'message', data: '{}' },
    ]);
    expect(states).toEqual([true]);
  });

  it('connects again after an end, and says meanwhile that it is down', async () => {
    const streams = [aStream(), aStream()];
    const states: boolean[] = [];
    let calls = 0;
    void keepStream({
      send: async () => streams[calls++]!.response,
      signal: over.signal,
      onState: (up) => states.push(up),
      onEvent: () => undefined,
    });
    await waitFor(() => expect(states).toHaveLength(1));
    streams[0]!.end();
    await waitFor(() => expect(states).toHaveLength(2));
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(states).toHaveLength(3));
    expect(states).toEqual([true, false, true]);
    expect(calls).toBe(2);
  });

  // Rule: UI-64
  it('waits longer with each failure, up to 30 s, with a random part', () => {
    expect([1, 2, 3, 9].map((failures) => waitAfter('failed', failures, () => 0))).toEqual([
      1_000, 2_000, 4_000, 30_000,
    ]);
    expect(waitAfter('failed', 9, () => 1)).toBe(15_000);
    expect(waitAfter('ended', 0, () => 0)).toBe(1_000);
    expect(waitAfter({ refused: 503 }, 1, () => 0)).toBe(1_000);
    expect(waitAfter({ refused: 404 }, 1, () => 0)).toBe(300_000);
  });
});
