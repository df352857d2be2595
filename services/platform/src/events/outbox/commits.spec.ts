import { followTopic } from '@pulso/contracts/topics/social';
import { ManualClock } from '../../../testing/manual-clock.js';
import { KnownTokens } from '../known-tokens.js';
import { Commits } from './commits.js';

const state = { followerId: 'a', targetId: 'b', active: true, version: 7 };

describe('Commits', () => {
  it('wakes the relay and tells its listeners of a commit, and of nothing that was there before', () => {
    const woken: string[] = [];
    const known = new KnownTokens();
    const clock = new ManualClock(0);
    const commits = new Commits({ nudge: () => woken.push('relay') }, known, clock);
    commits.onCommit(() => woken.push('listener'));
    commits.recordUnchanged(followTopic, state);
    expect(woken).toEqual([]);
    commits.committed(followTopic, state);
    expect(woken).toEqual(['relay', 'listener']);
    const token = { topic: followTopic.name, key: followTopic.keyOf(state), version: 7 };
    expect(known.has(token)).toBe(true);
  });
});
