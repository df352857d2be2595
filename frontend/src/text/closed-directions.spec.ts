import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { closedDirections } from './closed-directions.js';

/** The platform's own form of it passes the same: a title stays as it is when the page comes to life. */
const CASES = JSON.parse(
  readFileSync(new URL('../../../proto/test/directions.json', import.meta.url), 'utf8'),
) as { what: string; text: string; closed: string }[];

// Rule: HTTP-27
describe('a text in a title', () => {
  it.each(CASES)('loses $what', ({ text, closed }) => expect(closedDirections(text)).toBe(closed));
});
