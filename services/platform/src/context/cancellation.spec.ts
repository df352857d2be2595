import { Cancellation } from './cancellation.js';

describe('a cancellation', () => {
  it('ends once, for its listeners and its signal', () => {
    const cancellation = new Cancellation();
    const reasons: Error[] = [];
    const left = () => reasons.push(new Error('left before'));
    cancellation.onEnd((reason) => reasons.push(reason));
    cancellation.onEnd(left);
    cancellation.offEnd(left);
    const { signal } = cancellation;
    expect([cancellation.over, signal.aborted]).toEqual([false, false]);
    const first = new Error('first');
    cancellation.end(first);
    cancellation.end(new Error('second'));
    expect(reasons).toEqual([first]);
    expect([cancellation.over, signal.aborted, signal.reason]).toEqual([true, true, first]);
  });

  it('has an aborted signal if it is read after the end', () => {
    const cancellation = new Cancellation();
    const reason = new Error('over');
    cancellation.end(reason);
    expect(cancellation.signal).toMatchObject({ aborted: true, reason });
  });
});
