import { describe, expect, it } from '@jest/globals';
import { DEMO_POSTS, DEMO_USERS } from './demo-content.js';

// Rule: DEMO-1
describe('the demo', () => {
  it('has three coaches and one member', () => {
    expect(DEMO_USERS.map(({ isCoach }) => isCoach)).toEqual([true, true, true, false]);
    expect(new Set(DEMO_USERS.flatMap(({ username, email }) => [username, email])).size).toBe(8);
  });

  it('has eight posts of both visibilities, those for subscribers by coaches', () => {
    expect(DEMO_POSTS).toHaveLength(8);
    expect(new Set(DEMO_POSTS.map(({ visibility }) => visibility))).toEqual(
      new Set(['public', 'subscribers']),
    );
    const coaches = DEMO_USERS.filter(({ isCoach }) => isCoach).map(({ username }) => username);
    for (const { author, visibility } of DEMO_POSTS) {
      if (visibility === 'subscribers') expect(coaches).toContain(author);
    }
  });

  it('names only its own users', () => {
    const names = DEMO_USERS.map(({ username }) => username);
    const named = DEMO_POSTS.flatMap(({ author, likedBy, comments }) => [
      author,
      ...likedBy,
      ...comments.map((comment) => comment.author),
    ]);
    expect(names).toEqual(expect.arrayContaining([...new Set(named)]));
  });
});
