import { describe, expect, it } from '@jest/globals';
import { written, writtenLine } from './written.js';

// Rule: HTTP-11
describe('a text that was pasted', () => {
  it.each([
    ['from Windows', 'one\r\ntwo\r\n', 'one\ntwo'],
    ['from Word, with a break within a paragraph', 'one\vtwo', 'one\ntwo'],
    ['from a PDF of two pages', 'one\ftwo', 'one\ntwo'],
    ['with the line separator of Unicode', 'one\u2028two', 'one\ntwo'],
    ['from a table', 'Squat\t5\t100', 'Squat\t5\t100'],
    ['from a terminal', '\u001b[1mone\u001b[0m\u0007', '[1mone[0m'],
    [
      'with soft hyphens and blanks that do not break',
      'Trai\u00adning\u00a0plan',
      'Trai\u00adning\u00a0plan',
    ],
    ['from macOS', 'Natacio\u0301n', 'Natación'],
    ['with a family', '👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
  ])('%s keeps what is seen', (_from, pasted, sent) => expect(written(pasted)).toBe(sent));

  it.each([
    ['Ana\tTorres', 'Ana Torres'],
    ['  Ana \u00a0\u3000 Torres\r\n', 'Ana Torres'],
    ['re\u00adco\u00ad\u0301very', 'recóvery'],
    ['Ana\u0000', 'Ana'],
  ])('into a field of one line as %j is %j', (pasted, sent) => expect(writtenLine(pasted)).toBe(sent));
});
