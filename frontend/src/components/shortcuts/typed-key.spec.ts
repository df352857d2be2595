import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { typedKey } from './typed-key.js';

const pressed = (init: KeyboardEventInit) =>
  typedKey(new KeyboardEvent('keydown', { key: 'Enter', ...init }));

// Rule: UI-45
describe('a key', () => {
  it('is told as it is', () => expect(pressed({ keyCode: 13 })).toBe('Enter'));

  it.each([
    ['while it composes', { isComposing: true, keyCode: 229 }],
    ['where the browser tells no code', { isComposing: true, keyCode: 13 }],
    ['that ends its word in Safari', { isComposing: false, keyCode: 229 }],
  ])('of an input method is nobody else’s %s', (_when, init) => expect(pressed(init)).toBe(''));
});

const SOURCE = join(import.meta.dirname, '../..');
/** Of a keyboard event, which is named `event` where a handler takes one; and a handler that names it otherwise. */
const BY_ITSELF =
  /\bevent\.(?:key|code|keyCode|which)\b|\bisComposing\b|(?<!\bevent): (?:React)?KeyboardEvent\b|\bonKey\w+=\{\((?!event\b|\))/;

// Rule: UI-45
it('is read by every handler so that an input method keeps its own', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /(?<!\.spec)\.tsx?$/.test(file) && !/typed-key\.ts$/.test(file));
  const found = sources.flatMap((file) =>
    readFileSync(join(SOURCE, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (BY_ITSELF.test(line) ? `${file}:${index + 1} ${line.trim()}` : [])),
  );
  // Another spelling, or none at all, would find nothing.
  expect(sources.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});
