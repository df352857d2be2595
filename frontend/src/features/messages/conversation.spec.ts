import { expect, it } from '@jest/globals';
import { previewOf } from './conversation.js';

// Rule: MSG-13
it('a preview is the text, of a long one the beginning, which cuts no character in two', () => {
  expect(previewOf('See you on Tuesday.')).toBe('See you on Tuesday.');
  expect(previewOf('x'.repeat(200))).toBe('x'.repeat(200));
  expect(previewOf('x'.repeat(4000))).toBe(`${'x'.repeat(200)}…`);
  expect(previewOf('💪'.repeat(2000))).toBe(`${'💪'.repeat(200)}…`);
  expect(previewOf(`x${'👨‍👩‍👧'.repeat(500)}`)).toBe(`x${'👨‍👩‍👧'.repeat(199)}…`);
});
