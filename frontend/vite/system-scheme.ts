import type { Plugin } from 'vite';

const DARK = String.raw`\[data-mantine-color-scheme=['"]?dark['"]?\]`;
/** A style rule of the dark scheme, in a style sheet without comments: its selectors and its declarations. */
const RULE = new RegExp(String.raw`([^{}]*${DARK}[^{}]*)\{([^{}]*)\}`, 'g');
const COMMENT = /\/\*[\s\S]*?\*\//g;

/** Each of them in a copy for any scheme, which is as specific as the light one and stands after it. */
function forAny(selectors: string): string {
  return (
    selectors
      // Of shadow trees, which we have none of.
      .replace(new RegExp(String.raw`,\s*:host\(${DARK}\)`, 'g'), '')
      // The variables of the light scheme follow those of the dark one.
      .replace(new RegExp(String.raw`:root${DARK}`, 'g'), ':root:root[data-mantine-color-scheme]')
      .replace(new RegExp(DARK, 'g'), '[data-mantine-color-scheme]')
      .trim()
  );
}

/**
 * A style sheet that without scripts has the scheme of the system (UI-69): the page says that it is light, and color-scheme.js,
 * which knows better, does not run. In one file the copies cost little: compressed, they are references to what is before them.
 */
export const withSystemScheme = (css: string): string =>
  css
    .replace(COMMENT, '')
    .replace(
      RULE,
      (rule, selectors: string, declarations: string) =>
        `${rule}\n@media (scripting: none) and (prefers-color-scheme: dark) { ${forAny(selectors)} {${declarations}} }\n`,
    );

export function systemScheme(): Plugin {
  return {
    name: 'pulso:system-scheme',
    transform: { order: 'pre', filter: { id: /\.css$/ }, handler: withSystemScheme },
  };
}
