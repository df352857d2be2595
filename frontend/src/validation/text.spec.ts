import { describe, expect, it } from '@jest/globals';
import { codePoints } from './text.js';

// Rule: UI-48, HTTP-11
describe('the length of a text', () => {
  it.each([
    ['', 0],
    ['  Ana \n', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['한', 1],
    ['\u1112\u1161\u11ab', 1],
    ['q\u0323\u0301', 3],
    ['💪', 1],
    ['💪🏽', 2],
    ['🇲🇽', 2],
    ['👨‍👩‍👧‍👦', 7],
    ['❤️', 2],
    ['1️⃣', 3],
    ['ที่', 3],
    ['क्षि', 4],
    ['a\r\nb', 3],
    ['a\vb', 3],
    ['a\u0007b', 2],
    ['a\tb', 3],
    ['a\u00adb\u200b', 4],
  ])('%j is %i, as the server counts it', (text, length) => expect(codePoints(text)).toBe(length));
});
