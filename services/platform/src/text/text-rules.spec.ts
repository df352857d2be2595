import { cleanText, codePointLength, isBlank } from './text-rules.js';

const line = { max: 10, multiline: false, joiners: false };
const name = { ...line, needsBase: true };
const free = { max: 10, multiline: true, joiners: true };

// Rule: HTTP-11
describe('cleanText', () => {
  it('trims', () => {
    expect(cleanText(' \n\tAda \u3000\uFEFF', line)).toEqual({ value: 'Ada' });
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \u00a0\n'],
    ['zero-width characters', '\u200b\u200d\u2060'],
    ['invisible letters', '\u3164\u2800'],
    ['direction marks', '\u202e\u200f'],
  ])('reads %s as empty', (_, input) => {
    expect(cleanText(input, line)).toEqual({ value: '' });
    expect(cleanText(input, free)).toEqual({ value: '' });
    expect(isBlank(input)).toBe(true);
  });

  // Rule: PEOPLE-4
  it.each([
    ['combining marks', '\u0301\u0301'],
    ['a spacing mark', '\u093e'],
    ['an enclosing mark', '\u20dd'],
    ['marks between invisible characters', '\u3164\u0301 \u200b\u0323\u2800'],
    ['variation selectors', '\ufe0f\u{e0100}'],
    ['Hangul fillers', '\u3164\u115f\u1160\uffa0'],
    ['Braille blanks', '\u2800\u2800'],
  ])('reads %s as empty where a mark needs a base character', (_, input) => {
    expect(cleanText(input, name)).toEqual({ value: '' });
  });

  it.each(['Zoë', 'Zoe\u0308', '7', '+', '?', '💪🏽', '❤️', '1️⃣', 'का', '한', '\u2801'])(
    'keeps %j where a mark needs a base character',
    (input) => {
      expect(cleanText(input, name)).toEqual({ value: input });
    },
  );

  it('keeps marks alone in other texts', () => {
    for (const rule of [line, free]) expect(cleanText('\u0301', rule)).toEqual({ value: '\u0301' });
  });

  it.each(['\0', 'a\u0007b', '\u001b[0m', 'a\rb', 'a\u007fb', 'a\u0085b', 'a\u009fb', '\u0007'])(
    'refuses the control character in %j',
    (input) => {
      expect(cleanText(input, free).problem?.code).toBe('control-character');
      expect(cleanText(input, line).problem?.code).toBe('control-character');
    },
  );

  it.each(['\ud83d', 'a\ude00b', '\ude00\ud83d', 'x\ud800'])('refuses the lone surrogate in %j', (input) => {
    expect(cleanText(input, free).problem?.code).toBe('lone-surrogate');
  });

  it('keeps line breaks and tabs in multi-line text only', () => {
    expect(cleanText('a\n\tb', free)).toEqual({ value: 'a\n\tb' });
    expect(cleanText('a\r\nb', free)).toEqual({ value: 'a\nb' });
    for (const separator of ['\n', '\t', '\r\n', '\u2028', '\u2029']) {
      expect(cleanText(`a${separator}b`, line).problem?.code).toBe('control-character');
    }
  });

  it('keeps joiners in free text only', () => {
    for (const text of ['👩‍💻', 'می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿']) {
      expect(cleanText(text, free)).toEqual({ value: text });
      expect(cleanText(text, line).problem?.code).toBe('format-character');
    }
    expect(cleanText('ad\u00admin', line).problem?.code).toBe('format-character');
    expect(cleanText('ab\u202ecd', line).problem?.code).toBe('format-character');
  });

  it('counts code points, after trimming', () => {
    expect(cleanText(`  ${'😀'.repeat(10)}  `, line)).toEqual({ value: '😀'.repeat(10) });
    expect(cleanText('😀'.repeat(11), line).problem).toEqual({
      code: 'too-long',
      message: 'Must be at most 10 characters',
    });
    expect(cleanText('a'.repeat(11), line).problem?.code).toBe('too-long');
    expect(cleanText('a'.repeat(21), line).problem?.code).toBe('too-long');
  });
});

describe('codePointLength', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['😀é', 2],
    ['e\u0301', 2],
    ['\ud83dx', 2],
  ])('of %j is %d', (text, length) => {
    expect(codePointLength(text)).toBe(length);
  });
});
