import { cutText, wordBoundary } from './graphemes.js';

const FAMILY = '👨‍👩‍👧';

describe('cutText', () => {
  it.each([
    ['Ana', 3, 'Ana'],
    ['Ana', 2, 'An'],
    ['Ana', 0, ''],
    [FAMILY.repeat(3), 10, FAMILY.repeat(2)],
    [FAMILY, 4, ''],
    ['🇲🇽🇯🇵', 3, '🇲🇽'],
    ['👍🏽👍🏽', 3, '👍🏽'],
    ['e\u0301e\u0301', 3, 'e\u0301'],
    ['💪💪', 2, '💪💪'],
    ['\u1112\u1161\u11ab\u1112', 2, ''],
    [`a${'\u0301'.repeat(50)}`, 10, ''],
    ['\ud83d'.repeat(5), 3, '\ud83d'.repeat(3)],
  ])('of %j to %d code points is %j', (text, max, cut) => {
    expect(cutText(text, max)).toBe(cut);
  });
});

describe('wordBoundary', () => {
  it.each([
    ['one two three', 9, 'one two '],
    ['one two three', 7, 'one two'],
    ['one two three', 8, 'one two '],
    ['one-two three', 5, 'one-t'],
    ['see https://example.org/a now', 20, 'see '],
    ['word', 2, 'wo'],
    ['어서 오세요', 4, '어서 '],
    ['今日は天気がいいですね', 5, '今日は天気'],
    ['今日は天気がいいですね', 4, '今日は'],
    ['สวัสดีครับ', 7, 'สวัสดี'],
    ['a 💪💪💪', 4, 'a 💪'],
  ])('of %j up to %d ends %j', (text, end, beginning) => {
    expect(text.slice(0, wordBoundary(text, end))).toBe(beginning);
  });
});
