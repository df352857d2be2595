import { Cancellation } from '../context/cancellation.js';
import { runInContext } from '../context/request-context.js';
import { aContext } from '../../testing/context.js';
import { MAX_TURNS, turns } from './turns.js';

// Rule: HTTP-5
describe('the turns of a page', () => {
  it('are bounded', () => {
    expect([...turns()]).toHaveLength(MAX_TURNS);
  });

  it('end when nobody waits for the answer any more', () => {
    const cancellation = new Cancellation();
    const taken: number[] = [];
    const read = () => {
      for (const turn of turns()) {
        taken.push(turn);
        if (turn === 1) cancellation.end(new Error('left'));
      }
    };
    expect(() => runInContext(aContext({ cancellation }), read)).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    );
    expect(taken).toEqual([0, 1]);
  });
});
