import { jest } from '@jest/globals';
import { comparisonKey, searchKey, transliterated } from './comparison-key.js';
import { canonical, cleanPassword, cleanText, codePointLength, inForm, isBlank } from './text-rules.js';

const line = { max: 10, multiline: false, joiners: false };
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

  // Rule: HTTP-11, PEOPLE-4
  it.each([
    ['combining marks', '\u0301\u0301'],
    ['a spacing mark', '\u093e'],
    ['an enclosing mark', '\u20dd'],
    ['marks between invisible characters', '\u3164\u0301 \u200b\u0323\u2800'],
    ['variation selectors', '\ufe0f\u{e0100}'],
    ['Hangul fillers', '\u3164\u115f\u1160\uffa0'],
    ['Braille blanks', '\u2800\u2800'],
  ])('reads %s as empty', (_, input) => {
    for (const rule of [line, free]) expect(cleanText(input, rule)).toEqual({ value: '' });
  });

  it.each(['Zoë', '7', '+', '?', '💪🏽', '❤️', '1️⃣', 'का', '한', '\u2801'])(
    'keeps %j, which can be seen',
    (input) => {
      for (const rule of [line, free]) expect(cleanText(input, rule)).toEqual({ value: input });
    },
  );

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

  it('keeps line breaks in multi-line text only, each as a line feed', () => {
    expect(cleanText('a\n\tb', free)).toEqual({ value: 'a\n\tb' });
    for (const separator of ['\r\n', '\u2028', '\u2029']) {
      expect(cleanText(`a${separator}b`, free)).toEqual({ value: 'a\nb' });
    }
    for (const separator of ['\n', '\r\n', '\u2028', '\u2029']) {
      expect(cleanText(`a${separator}b`, line).problem?.code).toBe('control-character');
    }
  });

  // Rule: PEOPLE-4
  it('has one blank for each run of blanks in one line, and keeps them in more', () => {
    for (const run of [' ', '   ', '\u00a0', '\u00a0'.repeat(30), '\u2003', '\u3000', '\t', ' \u2009\t ']) {
      expect(cleanText(`a${run}b`, line)).toEqual({ value: 'a b' });
    }
    expect(cleanText('a\u00a0 b', free)).toEqual({ value: 'a\u00a0 b' });
  });

  it('drops soft hyphens in one line, and keeps them in more', () => {
    expect(cleanText('train\u00ading', line)).toEqual({ value: 'training' });
    expect(cleanText('re\u00ad\u0301 \u00ad', line)).toEqual({ value: 'ré' });
    expect(cleanText('tr\u00adain', free)).toEqual({ value: 'tr\u00adain' });
  });

  it('stores one form of each letter', () => {
    for (const rule of [line, free]) {
      expect(cleanText('Zoe\u0308', rule)).toEqual({ value: 'Zoë' });
      expect(cleanText('\u1112\u1161\u11ab', rule)).toEqual({ value: '한' });
      expect(cleanText('\u212b', rule)).toEqual({ value: 'Å' });
      // Compatible letters are others.
      expect(cleanText('ﬁ ²', rule)).toEqual({ value: 'ﬁ ²' });
    }
  });

  it('keeps joiners in free text only', () => {
    for (const text of ['👩‍💻', 'می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿']) {
      expect(cleanText(text, free)).toEqual({ value: text });
      expect(cleanText(text, line).problem?.code).toBe('format-character');
    }
    expect(cleanText('ab\u202ecd', line).problem?.code).toBe('format-character');
  });

  // Rule: PEOPLE-4
  it.each(['\u2800', '\u3164', '\u115f', '\u1160', '\uffa0', '\u034f', '\u17b5'])(
    'refuses the letter %j, which nobody sees, in one line without joiners',
    (letter) => {
      expect(cleanText(`ab${letter}cd`, line).problem?.code).toBe('format-character');
      expect(cleanText(`ab${letter}cd`, free)).toEqual({ value: `ab${letter}cd` });
    },
  );

  it('counts the letters that are stored, however they were written', () => {
    for (const letters of ['e\u0301', '\u1112\u1161\u11ab', '\u03b1\u0313\u0300\u0345']) {
      expect(cleanText(letters.repeat(10), free)).toEqual({ value: letters.normalize('NFC').repeat(10) });
      expect(cleanText(letters.repeat(11), free).problem?.code).toBe('too-long');
    }
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

// Rule: ACCT-8
describe('cleanPassword', () => {
  it('gives the one form of a password, with all its blanks', () => {
    expect(cleanPassword(' n\u0303e\u0301  u\u00ad ', 10)).toEqual({ value: ' ñé  u\u00ad ' });
    expect(cleanPassword('', 10)).toEqual({ value: '' });
  });

  it('counts the letters of the form that is shorter: in the one of before or the present one', () => {
    expect(cleanPassword('ﬃ'.repeat(10), 10)).toEqual({ value: 'ﬃ'.repeat(10) });
    expect(cleanPassword('ｶﾞ'.repeat(10), 10)).toEqual({ value: 'ｶﾞ'.repeat(10) });
    for (const letter of ['ﬃ', 'ｶﾞ'])
      expect(cleanPassword(letter.repeat(11), 10).problem?.code).toBe('too-long');
  });

  it('counts the letters of that form', () => {
    expect(cleanPassword('n\u0303'.repeat(10), 10)).toEqual({ value: 'ñ'.repeat(10) });
    for (const letter of ['ñ', 'n\u0303', '😀']) {
      expect(cleanPassword(letter.repeat(11), 10).problem?.code).toBe('too-long');
    }
  });

  it.each([
    ['abc\u0000def', 'control-character'],
    ['abc\tdef', 'control-character'],
    ['abcdef\n', 'control-character'],
    ['abc\u2028def', 'control-character'],
    ['abc\ud800def', 'lone-surrogate'],
  ])('refuses %j', (password, code) => {
    expect(cleanPassword(password, 20).problem?.code).toBe(code);
  });
});

const longestPiece = (work: () => unknown): number => {
  const normalize = jest.spyOn(String.prototype, 'normalize');
  work();
  const longest = Math.max(...normalize.mock.contexts.map((text) => String(text).length));
  normalize.mockRestore();
  return longest;
};

// Rule: HTTP-11, PEOPLE-11, PEOPLE-14
describe('thousands of marks in a row', () => {
  const piledUp = `a${'\u0301'.repeat(2_000)}${'\u0316\uff9e'.repeat(1_000)}`;

  it.each([
    ['stored', canonical],
    ['compared', comparisonKey],
    ['searched', searchKey],
    ['made a username', transliterated],
  ])(
    'are put in order 500 at a time where a text is %s: all at once they take the square of their number',
    (_, work) => {
      expect(longestPiece(() => work(piledUp))).toBeLessThanOrEqual(501);
    },
  );

  it('are the same text afterwards', () => {
    const marks = `a${'\u0301'.repeat(2_000)}${'\u0316'.repeat(2_000)}`;
    expect(canonical(marks).normalize('NFD')).toBe(marks.normalize('NFD'));
  });
});

describe('inForm', () => {
  it.each(['NFC', 'NFKC', 'NFKD'] as const)(
    'gives %s of every character, also with others around it',
    (form) => {
      const different: string[] = [];
      for (let code = 0; code <= 0x10ffff; code += 1) {
        if (code >= 0xd800 && code <= 0xdfff) continue;
        // A mark that belongs behind others stands before it: what decomposes to a mark would have to go before that one.
        const text = `か\u0323${String.fromCodePoint(code)}\u0301`;
        if (inForm(form, text) !== text.normalize(form)) different.push(code.toString(16));
      }
      expect(different).toEqual([]);
    },
  );
});
