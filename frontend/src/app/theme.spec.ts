import { expect, it } from '@jest/globals';
import type { MantineTheme } from '@mantine/core';
import { cssVariablesResolver } from './theme.js';

/** The relative luminance of WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

// Rule: UI-35
it.each(['light', 'dark'] as const)(
  'in the %s theme the button of a danger is red and can be read',
  (scheme) => {
    const colors = cssVariablesResolver({} as MantineTheme)[scheme];
    const danger = colors['--pulso-danger']!;
    expect(contrast(danger, colors['--pulso-on-danger']!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(danger, colors['--pulso-surface']!)).toBeGreaterThanOrEqual(3);
    expect(danger).toMatch(/^#[b-f].[0-3].[0-3].$/);
  },
);
