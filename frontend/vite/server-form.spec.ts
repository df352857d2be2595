import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { renderedPages } from './server-form.js';
import { themeVariables } from './theme-variables.js';

// Rule: UI-68
it('every page that pages.ts marks as rendered is in the build for the server', () => {
  const source = readFileSync(new URL('../src/app/pages.ts', import.meta.url), 'utf8');
  expect(renderedPages(source)).toHaveLength(source.split('rendered: true').length - 1);
});

describe('the theme’s style sheet', () => {
  const css = themeVariables();

  it('has each scheme’s colours, under the attribute that color-scheme.js sets', () => {
    for (const scheme of ['light', 'dark'])
      expect(css).toMatch(
        new RegExp(`:root\\[data-mantine-color-scheme="${scheme}"\\][^{]*\\{[^}]*--pulso-surface:`),
      );
  });

  it('leaves out what Mantine’s own has', () => {
    expect(css).toContain('--mantine-color-coral-7');
    expect(css).not.toContain('--mantine-color-blue-7:');
  });
});
