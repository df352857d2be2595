import { Lifetime } from './lifetime.js';

describe('a lifetime', () => {
  it('ends once, for its listeners and its signal', () => {
    const lifetime = new Lifetime();
    const reasons: Error[] = [];
    const left = () => reasons.push(new Error('left before'));
    lifetime.onEnd((reason) => reasons.push(reason));
    lifetime.onEnd(left);
    lifetime.offEnd(left);
    const { signal } = lifetime;
    expect([lifetime.over, signal.aborted]).toEqual([false, false]);
    const first = new Error('first');
    lifetime.end(first);
    lifetime.end(new Error('second'));
    expect(reasons).toEqual([first]);
    expect([lifetime.over, signal.aborted, signal.reason]).toEqual([true, true, first]);
  });

  it('has a signal also for those who ask late', () => {
    const lifetime = new Lifetime();
    const reason = new Error('over');
    lifetime.end(reason);
    expect(lifetime.signal).toMatchObject({ aborted: true, reason });
  });
});
