import { outcome } from '../../testing/outcomes.js';
import { KeyedSlots, type SlotKey, type SlotRefusal } from './keyed-slots.js';

const never = new AbortController().signal;
const refusal = (reason: SlotRefusal) => new Error(reason);
const keyOf = (key: string, limits: Partial<SlotKey> = {}): SlotKey[] => [{ key, most: 1, ...limits }];

/** Takes a slot that is free. */
function held(slots: KeyedSlots, keys: SlotKey[]): () => void {
  const taken = slots.tryTake(keys);
  if (typeof taken === 'string') throw new Error(`no slot is free: ${taken}`);
  return taken;
}

describe('keyed slots', () => {
  const limits = { total: 3, waiting: 2, waitMs: 60_000 };

  it('are bounded for each key and in total, and free again when they are given back, once', () => {
    const slots = new KeyedSlots(() => limits);
    const account = (key: string) => [...keyOf(key, { most: 2 }), ...keyOf('network', { most: 5 })];
    const releases = [held(slots, account('ana')), held(slots, account('ana'))];
    expect(slots.tryTake(account('ana'))).toBe('key');
    held(slots, account('ben'));
    expect(slots.tryTake(account('cleo'))).toBe('total');
    for (let time = 0; time < 3; time += 1) releases[0]!();
    held(slots, account('cleo'));
    expect(slots.tryTake(account('dan'))).toBe('total');
  });

  it('count for each of several keys', () => {
    const slots = new KeyedSlots(() => limits);
    const release = held(slots, [...keyOf('ana'), ...keyOf('network', { most: 1 })]);
    expect(slots.tryTake([...keyOf('ben'), ...keyOf('network', { most: 1 })])).toBe('key');
    release();
    held(slots, [...keyOf('ben'), ...keyOf('network', { most: 1 })]);
  });

  it('are fewer for a key while more than half of all are taken', () => {
    const slots = new KeyedSlots(() => ({ ...limits, total: 6 }));
    const take = (key: string) => typeof slots.tryTake(keyOf(key, { most: 4, mostWhenCrowded: 1 }));
    for (let count = 0; count < 4; count += 1) expect([count, take('ana')]).toEqual([count, 'function']);
    expect(slots.isCrowded).toBe(true);
    expect([take('ana'), take('ben'), take('ben')]).toEqual(['string', 'function', 'string']);
  });

  it('go to waiters in order, but for those whose key has none left', async () => {
    const slots = new KeyedSlots(() => ({ ...limits, total: 2, waiting: 3 }));
    const [ofAna, ofBen] = [held(slots, keyOf('ana')), held(slots, keyOf('ben'))];
    const order: string[] = [];
    const wait = async (key: string) => {
      const release = await slots.take(keyOf(key), never);
      order.push(key);
      return release;
    };
    const [ana, cleo, dan] = [wait('ana'), wait('cleo'), wait('dan')];
    ofBen();
    const ofCleo = await cleo;
    expect(order).toEqual(['cleo']);
    ofAna();
    await ana;
    ofCleo();
    await dan;
    expect(order).toEqual(['cleo', 'ana', 'dan']);
  });

  it('are given to a waiter before anybody who comes later', async () => {
    const slots = new KeyedSlots(() => ({ ...limits, total: 1 }));
    const release = held(slots, keyOf('ana'));
    const waiting = slots.take(keyOf('ben'), never);
    release();
    expect(slots.tryTake(keyOf('cleo'))).toBe('total');
    (await waiting)();
    held(slots, keyOf('cleo'));
  });

  it('are waited for by so many, of one key and in total', async () => {
    const slots = new KeyedSlots(() => ({ ...limits, total: 1 }), refusal);
    const release = held(slots, keyOf('ana'));
    const wait = (key: string) => slots.take(keyOf(key, { waiting: { most: 1 } }), never);
    const ben = wait('ben');
    expect(await outcome(wait('ben'))).toBe('key');
    const cleo = wait('cleo');
    expect(await outcome(wait('dan'))).toBe('total');
    release();
    (await ben)();
    (await cleo)();
    held(slots, keyOf('dan'));
  });

  it('are waited for by fewer of a key while more than half of those who may wait do', async () => {
    const slots = new KeyedSlots(() => ({ total: 1, waiting: 4, waitMs: 60_000 }), refusal);
    const release = held(slots, keyOf('ana'));
    const caller = new AbortController();
    const share = { most: 3, mostWhenCrowded: 1 };
    const wait = (key: string) => slots.take(keyOf(key, { waiting: share }), caller.signal);
    const waiting = [wait('ben'), wait('ben'), wait('ben'), wait('cleo')];
    expect(await outcome(wait('cleo'))).toBe('key');
    caller.abort(new Error('left'));
    expect(await Promise.all(waiting.map(outcome))).toEqual(['left', 'left', 'left', 'left']);
    release();
    held(slots, keyOf('cleo'));
  });

  it('are waited for no longer than the limit, and as long as the caller stays', async () => {
    let waitMs = 10;
    const slots = new KeyedSlots(() => ({ total: 1, waiting: 1, waitMs }), refusal);
    const release = held(slots, keyOf('ana'));
    expect(await outcome(slots.take(keyOf('ben'), never))).toBe('late');
    waitMs = 60_000;
    const caller = new AbortController();
    const leaving = slots.take(keyOf('ben', { waiting: { most: 1 } }), caller.signal);
    caller.abort(new Error('left'));
    expect(await outcome(leaving)).toBe('left');
    expect(await outcome(slots.take(keyOf('ben'), caller.signal))).toBe('left');
    // Neither of them waits any more.
    const waiting = slots.take(keyOf('ben', { waiting: { most: 1 } }), never);
    release();
    (await waiting)();
    held(slots, keyOf('cleo'));
  });

  it('are refused as unavailable unless another error is given', async () => {
    const slots = new KeyedSlots(() => ({ total: 0, waiting: 0, waitMs: 0 }));
    expect(await outcome(slots.take(keyOf('ana'), never))).toBe('unavailable unavailable');
  });
});
