import { Dice } from '@pulso/platform/testing/seeded';
import { graphemesOf } from '@pulso/platform/text/graphemes';
import { codePointLength } from '@pulso/platform/text/text-rules';
import { previewOf } from './preview.js';

/** A letter of 100 code points. */
const PILED = `a${'\u0301'.repeat(99)}`;
const FAMILY = '👨‍👩‍👧';
const KISS = '👩🏻‍❤️‍💋‍👩🏽';

// Rule: POST-6
describe('previewOf', () => {
  it.each([
    ['one letter', 'a', ''],
    ['two letters', 'ab', 'a'],
    ['a short word', 'marathon', 'mara'],
    ['two words', 'Run slowly', 'Run'],
    ['a short sentence', 'Rest on Mondays, run on Fridays', 'Rest on'],
    ['199 letters', 'a'.repeat(199), 'a'.repeat(99)],
    ['200 letters', 'a'.repeat(200), 'a'.repeat(100)],
    ['1,000 letters', 'a'.repeat(1_000), 'a'.repeat(100)],
    ['words of which one ends at a hundred', 'four five '.repeat(30), `${'four five '.repeat(9)}four five`],
    ['words of which none ends at a hundred', 'sixteen '.repeat(30), `${'sixteen '.repeat(11)}sixteen`],
    ['a short word and a long one', `Hi ${'a'.repeat(500)}`, 'Hi'],
    ['lines', 'one\ntwo\nthree\nfour', 'one\ntwo'],
    ['blank lines', 'one\n\n\n\n\n\ntwo', 'one'],
    ['Korean', '어서 오세요 반갑습니다', '어서 오세요'],
    ['Japanese', '今日は天気がいいですね', '今日は天気'],
    ['Thai', 'สวัสดีครับ', 'สวัสดี'.slice(0, 4)],
    ['families', FAMILY.repeat(100), FAMILY.repeat(50)],
    ['201 families', FAMILY.repeat(201), FAMILY.repeat(100)],
    ['flags', '🇲🇽'.repeat(150), '🇲🇽'.repeat(75)],
    ['combining marks', 'e\u0301'.repeat(202), 'e\u0301'.repeat(100)],
    ['the longest emojis', KISS.repeat(250), KISS.repeat(100)],
    ['few graphemes of many code points', PILED.repeat(30), PILED.repeat(10)],
    [
      'a grapheme that does not fit',
      `b${'a'.repeat(8)}${PILED.repeat(30)}`,
      `b${'a'.repeat(8)}${PILED.repeat(9)}`,
    ],
    ['one letter with many marks', `a${'\u0301'.repeat(5_000)}`, ''],
  ])('of %s', (_, text, content) => {
    expect(previewOf(text)).toEqual({ content, truncated: true });
  });

  it('of no text is whole', () => {
    expect(previewOf('')).toEqual({ content: '', truncated: false });
  });

  it.each([1, 2, 3])('gives away no more than it may, whatever the text (seed %d)', (seed) => {
    const dice = new Dice(seed);
    const parts = [
      'word',
      ' ',
      ' ',
      '\n',
      'e\u0301',
      FAMILY,
      '🇲🇽',
      '👍🏽',
      '字',
      'ไทย',
      'क्षि',
      '한',
      '. ',
      '\u0600',
      '\u200d',
      PILED,
    ];
    const graphemes = (text: string) => Array.from(graphemesOf(text), ({ segment }) => segment);
    for (let round = 0; round < 150; round += 1) {
      const text = Array.from({ length: 1 + dice.below(250) }, () => dice.pick(parts))
        .join('')
        .trim();
      const { content, truncated } = previewOf(text);
      const [shown, whole] = [graphemes(content), graphemes(text)];
      expect({ text, beginning: whole.slice(0, shown.length) }).toEqual({ text, beginning: shown });
      expect(shown.length).toBeLessThanOrEqual(Math.min(100, whole.length / 2));
      expect(codePointLength(content)).toBeLessThanOrEqual(1_000);
      expect(shown.at(-1)?.trim()).not.toBe('');
      expect(truncated).toBe(text !== '');
    }
  });
});
