import { describe, expect, it } from '@jest/globals';
import { withSystemScheme } from './system-scheme.js';
import { themeVariables } from './theme-variables.js';

const QUERY = '@media (scripting: none) and (prefers-color-scheme: dark)';
const squeezed = (css: string) => css.replaceAll(/\s+/g, ' ').trim();

// Rule: UI-69
describe('a style sheet without scripts', () => {
  it('has each rule of the dark scheme, after it and as specific, for a dark system', () => {
    const css = `
      /* [data-mantine-color-scheme='dark'] { } */
      @media (hover: hover) {
        :where([data-mantine-color-scheme='light']) .a:hover { color: black }
        :where([data-mantine-color-scheme='dark']) .a:hover { color: white }
      }
      [data-mantine-color-scheme=dark] .b, .c { top: 0 }`;
    expect(squeezed(withSystemScheme(css))).toBe(
      squeezed(`
      @media (hover: hover) {
        :where([data-mantine-color-scheme='light']) .a:hover { color: black }
        :where([data-mantine-color-scheme='dark']) .a:hover { color: white }
        ${QUERY} { :where([data-mantine-color-scheme]) .a:hover { color: white } }
      }
      [data-mantine-color-scheme=dark] .b, .c { top: 0 }
      ${QUERY} { [data-mantine-color-scheme] .b, .c { top: 0 } }`),
    );
  });

  it('has the variables of the dark scheme before those of the light one, which are less specific', () => {
    const css = squeezed(withSystemScheme(themeVariables()));
    expect(css).toContain(`${QUERY} { :root:root[data-mantine-color-scheme] {`);
    expect(css.match(/--mantine-color-body: #171412/g)).toHaveLength(2);
    expect(css.match(/:host\(\[data-mantine-color-scheme=.dark/g)).toHaveLength(1);
  });

  it('is otherwise as it was', () => {
    expect(withSystemScheme('.a { color: red }')).toBe('.a { color: red }');
  });
});
