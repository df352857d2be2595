import { hasDecision } from './hiding.js';

const decidedAt = new Date(5);
const spam = { hiddenReason: 'spam', hiddenAt: decidedAt };

describe('a document has a decision', () => {
  it.each([
    [{}, null, true],
    [spam, null, false],
    [{}, { hidden: false, reason: 'spam', decidedAt }, true],
    [spam, { hidden: false, reason: 'spam', decidedAt }, false],
    [spam, { hidden: true, reason: 'spam', decidedAt }, true],
    [spam, { hidden: true, reason: 'nudity', decidedAt }, false],
    [spam, { hidden: true, reason: 'spam', decidedAt: new Date(6) }, false],
    [{}, { hidden: true, reason: 'spam', decidedAt }, false],
  ])('%j, %j: %s', (document, decision, expected) => {
    expect(hasDecision(document, decision)).toBe(expected);
  });

  // Rule: PEOPLE-37
  it.each([
    [{}, true, true],
    [spam, true, true],
    [{}, false, true],
    [spam, false, false],
  ])('of an old row, which says neither when nor why: %j, hidden %s: %s', (document, hidden, expected) => {
    expect(hasDecision(document, { hidden })).toBe(expected);
  });
});
