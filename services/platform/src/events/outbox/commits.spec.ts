import { followTopic } from '@pulso/contracts/topics/social';
import { ManualClock } from '../../../testing/manual-clock.js';
import { KnownTokens } from '../known-tokens.js';
import { Commits } from './commits.js';

const state = { followerId: 'a', targetId: 'b', active: true, version: 7 };

describe('Commits', () => {
  function started() {
    const woken: string[] = [];
    const known = new KnownTokens();
    const commits = new Commits({ nudge: () => woken.push('relay') }, known, new ManualClock(0));
    commits.onCommit(() => woken.push('listener'));
    return { commits, known, woken };
  }

  it('wakes the relay and tells its listeners of a commit, and of nothing that it has committed before', () => {
    const { commits, known, woken } = started();
    commits.committed(followTopic, state);
    expect(woken).toEqual(['relay', 'listener']);
    const token = { topic: followTopic.name, key: followTopic.keyOf(state), version: 7 };
    expect(known.has(token)).toBe(true);
    commits.recordUnchanged(followTopic, state);
    expect(woken).toEqual(['relay', 'listener']);
  });

  it('wakes the relay for a state that another process has written', () => {
    const { commits, woken } = started();
    commits.recordUnchanged(followTopic, state);
    expect(woken).toEqual(['relay']);
  });
});
