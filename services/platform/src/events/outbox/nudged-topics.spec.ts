import { NudgedTopics } from './nudged-topics.js';

const ALL_MS = 5_000;
let now: number;
let nudged: NudgedTopics;

beforeEach(() => {
  now = 0;
  nudged = new NudgedTopics({ topics: ['posts', 'likes', 'comments'], allEveryMs: ALL_MS, now: () => now });
  expect(nudged.unread(true)).toEqual([]);
});

describe('NudgedTopics', () => {
  it('leaves out what no commit has named since the last pass', () => {
    nudged.add('posts');
    nudged.add('likes');
    expect(nudged.unread(true)).toEqual(['comments']);
    nudged.add('comments');
    expect(nudged.unread(true)).toEqual(['posts', 'likes']);
  });

  it('leaves out nothing without a nudge, after one of any topic, and while something waits for another try', () => {
    expect(nudged.unread(true)).toEqual([]);
    nudged.add('posts');
    nudged.add(undefined);
    expect(nudged.unread(true)).toEqual([]);
    nudged.add('posts');
    expect(nudged.unread(false)).toEqual([]);
  });

  it('leaves out nothing once in a while, however many nudges come', () => {
    let all = 0;
    for (; now < 10 * ALL_MS; now += 100) {
      nudged.add('posts');
      if (nudged.unread(true).length === 0) all += 1;
    }
    expect(all).toBe(9);
  });

  it('leaves out nothing of a source that reads all topics at once', () => {
    const one = new NudgedTopics({ topics: undefined, allEveryMs: ALL_MS, now: () => now });
    one.unread(true);
    one.add('posts');
    expect(one.unread(true)).toEqual([]);
  });
});
