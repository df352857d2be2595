import { previewOf, readContent, readNewContent } from './post.js';

/** A letter of 100 code points. */
const PILED = `a${'\u0301'.repeat(99)}`;

// Rule: POST-6
describe('previewOf', () => {
  it.each([
    ['an empty text', '', '', false],
    ['100 letters', 'a'.repeat(100), 'a'.repeat(100), false],
    ['101 letters', 'a'.repeat(101), 'a'.repeat(100), true],
    ['100 families', '👨‍👩‍👧'.repeat(100), '👨‍👩‍👧'.repeat(100), false],
    ['101 families', '👨‍👩‍👧'.repeat(101), '👨‍👩‍👧'.repeat(100), true],
    ['flags', '🇲🇽'.repeat(150), '🇲🇽'.repeat(100), true],
    ['combining marks', 'e\u0301'.repeat(101), 'e\u0301'.repeat(100), true],
    ['100 of the longest emojis', '👩🏻‍❤️‍💋‍👩🏽'.repeat(101), '👩🏻‍❤️‍💋‍👩🏽'.repeat(100), true],
    ['1,000 code points in few graphemes', PILED.repeat(10), PILED.repeat(10), false],
    ['1,001 code points in few graphemes', `${PILED.repeat(10)}b`, PILED.repeat(10), true],
    [
      'a grapheme that does not fit',
      `b${'a'.repeat(8)}${PILED.repeat(10)}`,
      `b${'a'.repeat(8)}${PILED.repeat(9)}`,
      true,
    ],
    ['one letter with many marks', `a${'\u0301'.repeat(5_000)}`, '', true],
    ['many letters with many marks', PILED.repeat(99), PILED.repeat(10), true],
    ['line breaks', '\r\n'.repeat(101), '\r\n'.repeat(100), true],
  ])('of %s', (_, text, content, truncated) => {
    expect(previewOf(text)).toEqual({ content, truncated });
  });
});

describe('a post’s text', () => {
  it('is trimmed', () => {
    expect(readNewContent('\n a\n\tb ')).toBe('a\n\tb');
    expect(readContent(' c ')).toBe('c');
  });

  // Rule: POST-1
  it('may be empty beside media only', () => {
    expect(() => readNewContent(' ')).toThrow('Please add some content, images, or video to your post.');
    expect(readNewContent('\u200b', true)).toBe('');
  });

  it('names the invalid field', () => {
    expect(() => readNewContent('x'.repeat(10_001))).toThrow(
      expect.objectContaining({
        code: 'validation-failed',
        details: {
          errors: [{ path: 'content', code: 'too-long', message: 'Must be at most 10000 characters' }],
        },
      }),
    );
  });
});
