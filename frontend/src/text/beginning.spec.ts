import { describe, expect, it } from '@jest/globals';
import { beginningOf } from './beginning.js';

const FAMILY = '👨‍👩‍👧‍👦';
const PILED = `a${'\u0301'.repeat(100)}`;

describe('the beginning of a text', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'longe…'],
    ['two words', 4, 'two…'],
    // As many characters as are seen, however many code points they have.
    ['🇲🇽🇩🇪🇯🇵', 2, '🇲🇽🇩🇪…'],
    ['🇲🇽🇩🇪', 2, '🇲🇽🇩🇪'],
    [FAMILY.repeat(3), 1, `${FAMILY}…`],
    ['💪🏽💪🏽💪🏽', 2, '💪🏽💪🏽…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301e\u0301…'],
    ['नमस्ते दुनिया', 2, 'नम…'],
    ['ความแข็งแรง', 2, 'คว…'],
    ['한국어', 2, '한국…'],
    // Letters that are three characters each where somebody types them so.
    ['\u1112\u1161\u11ab\u1100\u116e\u11a8', 1, '\u1112\u1161\u11ab…'],
    ['東京マラソン', 2, '東京…'],
  ])('of %j with %i characters is %j', (text, most, beginning) =>
    expect(beginningOf(text, most)).toBe(beginning),
  );

  it('does not grow with marks that are piled up', () => {
    expect(beginningOf(PILED, 10)).toBe(PILED);
    expect(beginningOf(PILED.repeat(10), 10)).toBe(`${PILED}…`);
  });
});
