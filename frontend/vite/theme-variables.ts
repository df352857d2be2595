import {
  DEFAULT_THEME,
  convertCssVariables,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import type { ConvertCSSVariablesInput } from '@mantine/core';
import type { Plugin } from 'vite';
import { cssVariablesResolver, theme } from '../src/app/theme.js';
import { isUnusedVariable } from './lean-mantine.js';

const NAME = 'virtual:theme-variables.css';

type Variables = Record<string, string>;

const without = (known: Variables, variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => known[name] !== value && !isUnusedVariable(name)),
  );

/** The variables of the theme that differ from those of Mantine's style sheet, without those that nothing uses. */
export function themeVariables(): string {
  const ours = mergeMantineTheme(DEFAULT_THEME, theme);
  const known = defaultCssVariablesResolver(DEFAULT_THEME);
  const plain = defaultCssVariablesResolver(ours);
  const own = cssVariablesResolver(ours);
  const merged = (part: keyof ConvertCSSVariablesInput) =>
    without(known[part], { ...plain[part], ...own[part] });
  return convertCssVariables({
    variables: merged('variables'),
    light: merged('light'),
    dark: merged('dark'),
  });
}

/** The theme as a style sheet that browsers keep, in place of one in each page. */
export function themeStyles(): Plugin {
  return {
    name: 'pulso:theme-styles',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? themeVariables() : undefined),
  };
}
