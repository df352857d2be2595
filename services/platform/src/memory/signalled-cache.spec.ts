import { ManualClock } from '../../testing/manual-clock.js';
import { InProcessSignals } from '../signals/in-process-signals.js';
import { SignalledCache } from './signalled-cache.js';
import { type SignalListener, Signals } from '../signals/signals.js';

/** Signals that a test loses and brings back. */
class Unsteady extends Signals {
  private listener: SignalListener | undefined;

  override send(): void {}

  override listen(listener: SignalListener): () => void {
    this.listener = listener;
    return () => (this.listener = undefined);
  }

  lose(): void {
    this.listener?.lost?.();
  }

  resume(): void {
    this.listener?.resumed?.();
  }
}

const ROWS = { name: 'test.rows', most: 10 };
const delivered = () => new Promise((resolve) => setImmediate(resolve));

describe('a cache that signals keep fresh', () => {
  const clock = new ManualClock(0);
  let signals: InProcessSignals;
  let here: SignalledCache<{ version: number }>;
  let there: SignalledCache<{ version: number }>;
  beforeEach(() => {
    signals = new InProcessSignals();
    here = new SignalledCache(signals, clock, ROWS);
    there = new SignalledCache(signals, clock, ROWS);
    for (const cache of [here, there]) cache.reading()('ada', { version: 1 });
  });

  it('forgets a row that was written, here at once and elsewhere with the signal, and no other row', async () => {
    here.reading()('ben', { version: 1 });
    here.changed('ada');
    expect([here.get('ada'), there.get('ada')]).toEqual([undefined, { version: 1 }]);
    await delivered();
    expect([here.get('ben'), there.get('ada')]).toEqual([{ version: 1 }, undefined]);
  });

  it('does not keep what was read before a change', async () => {
    const keep = there.reading();
    here.changed('ada');
    await delivered();
    keep('ada', { version: 1 });
    expect(there.get('ada')).toBeUndefined();
    there.reading()('ada', { version: 2 });
    expect(there.get('ada')).toEqual({ version: 2 });
  });

  it('hears nothing of rows with another name', async () => {
    new SignalledCache(signals, clock, { ...ROWS, name: 'test.row' }).changed('s:ada');
    new SignalledCache(signals, clock, { ...ROWS, name: 'others' }).changed('ada');
    await delivered();
    expect(here.get('ada')).toEqual({ version: 1 });
  });

  it('forgets after a second, as a signal may be lost', () => {
    clock.advance(999);
    expect(here.get('ada')).toEqual({ version: 1 });
    clock.advance(1);
    expect(here.get('ada')).toBeUndefined();
  });

  it('keeps nothing while signals are lost', () => {
    const unsteady = new Unsteady();
    const cache = new SignalledCache<{ version: number }>(unsteady, clock, ROWS);
    const read = () => cache.reading()('ada', { version: 1 });
    read();
    expect(cache.get('ada')).toBeUndefined();
    unsteady.resume();
    read();
    expect(cache.get('ada')).toEqual({ version: 1 });
    unsteady.lose();
    read();
    expect(cache.get('ada')).toBeUndefined();
    unsteady.resume();
    expect(cache.get('ada')).toBeUndefined();
  });

  it('hears nothing any more once it has ended', async () => {
    there.end();
    here.changed('ada');
    await delivered();
    expect(there.get('ada')).toEqual({ version: 1 });
  });
});
