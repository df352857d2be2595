import type { StoredDelivery } from './in-process/stored-delivery.js';
import { KeyedQueue } from './keyed-queue.js';

const delivery = (seq: number, key = `key-${seq}`): StoredDelivery => ({
  seq: String(seq),
  group: 'g',
  attempts: 0,
  event: {
    id: `e${seq}`,
    topic: 't',
    key,
    version: seq,
    payload: new Uint8Array(),
    headers: {},
    republished: false,
  },
});

describe('KeyedQueue', () => {
  let started: string[];
  let finish: Map<string, () => void>;

  beforeEach(() => {
    started = [];
    finish = new Map();
  });

  function aQueue({ concurrency = 2, capacity = 10 } = {}) {
    const run = ({ seq }: StoredDelivery) => {
      started.push(seq);
      return new Promise<void>((resolve) => finish.set(seq, resolve));
    };
    return new KeyedQueue('g', { concurrency, capacity, run });
  }

  const end = async (seq: number) => {
    finish.get(String(seq))!();
    await new Promise(setImmediate);
  };

  it('runs several keys at once, up to its concurrency, and one delivery of a key at a time', async () => {
    const full = aQueue();
    for (const each of [delivery(1, 'a'), delivery(2, 'a'), delivery(3, 'b'), delivery(4, 'c')])
      full.add(each);
    expect(started).toEqual(['1', '3']);
    await end(1);
    expect(started).toEqual(['1', '3', '4']);
    await end(4);
    expect(started).toEqual(['1', '3', '4', '2']);
  });

  it('does not take a delivery again while it holds it', async () => {
    const holding = aQueue();
    const first = delivery(1);
    holding.add(first);
    holding.add(delivery(1));
    await end(1);
    holding.add(delivery(1));
    expect(started).toEqual(['1']);
    holding.release(first);
    holding.retry(first);
    expect(started).toEqual(['1']);
    holding.add(delivery(1));
    expect(started).toEqual(['1', '1']);
  });

  it('is behind after it had no room', () => {
    const small = aQueue({ capacity: 2 });
    small.behind = false;
    for (const seq of [1, 2]) small.add(delivery(seq));
    expect([small.room, small.behind]).toEqual([0, false]);
    small.add(delivery(3));
    expect(small.behind).toBe(true);
    expect(small.holding.map(({ seq }) => seq)).toEqual(['1', '2']);
  });

  it('starts no more deliveries once closed, and waits for running ones', async () => {
    const closing = aQueue({ concurrency: 1 });
    closing.add(delivery(1));
    closing.add(delivery(2));
    let closed = false;
    const close = closing.close().then(() => (closed = true));
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    await end(1);
    await close;
    expect(started).toEqual(['1']);
  });
});
