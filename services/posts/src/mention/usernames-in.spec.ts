import { readFileSync } from 'node:fs';
import { usernamesIn } from './usernames-in.js';

const table = JSON.parse(
  readFileSync(new URL('../../../../proto/test/mentions.json', import.meta.url), 'utf8'),
) as [text: string, usernames: string[]][];

// Rule: NOTIF-2, UI-44
describe('the usernames in a text', () => {
  it.each(table)('of %j are what the frontend links', (text, usernames) => {
    expect(usernamesIn(text, 20)).toEqual([...new Set(usernames)]);
  });

  it('are the first of many, each once', () => {
    expect(usernamesIn('@ana @ben @Ana @carla @dora', 3)).toEqual(['ana', 'ben', 'carla']);
  });

  it('are found in no time in a text made to be slow', () => {
    // Quadratic time would exceed the test's time limit.
    expect(usernamesIn('@a-'.repeat(300_000), 20)).toEqual([]);
    expect(usernamesIn(`https://example.org/${'@a'.repeat(300_000)}`, 20)).toEqual([]);
  });
});
