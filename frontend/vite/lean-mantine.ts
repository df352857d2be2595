import type { Plugin } from 'vite';

/** The spinner that a button shows over its label: `BusyButton` has a text of its own. */
const LOADER = /typeof loading === "boolean" && [^\n]*jsx\(Transition, \{\n[\s\S]*?\n\t\t\}\), /g;
/** Menus use it, too: while buttons import it, it is in the first chunk. */
const TRANSITION = /^import \{ Transition \} from .*;$/gm;

/**
 * What nothing here uses, and the build cannot tell, by the module of Mantine: its buttons' and fields' loading state, their
 * groups, margins and the like as properties, and its palettes but for that of its default theme; of their CSS `UNUSED_VARIABLES`.
 */
const UNUSED: Readonly<Record<string, readonly RegExp[]>> = {
  'components/Button/Button': [/^Button\.Group(Section)? = .*;$/gm, LOADER, TRANSITION],
  'components/ActionIcon/ActionIcon': [/^ActionIcon\.Group(Section)? = .*;$/gm, LOADER, TRANSITION],
  'components/Input/Input': [
    /^Input\.(Success|Placeholder|ClearButton) = .*;$/gm,
    /loading \? .*jsx\(Loader, .*\) : (?=null;)/g,
  ],
  // What is left there is `const parsedStyleProps = ({ … })`, which has no styles.
  'core/Box/Box': [
    /(?<=const parsedStyleProps = )parseStyleProps(?=\(\{)/g,
    /parsedStyleProps\.hasResponsiveStyles && [^\n]*jsx\(InlineStyles, \{\n[\s\S]*?\n\t\}\), /g,
    /(?<=styleProps,\n\t\ttheme),\n\t\tdata: STYLE_PROPS_DATA/g,
  ],
  // The variables are in the style sheet: see theme-variables.ts.
  'core/MantineProvider/MantineProvider': [
    /withCssVariables && [^\n]*jsx\(MantineCssVariables, \{\n[\s\S]*?\n\t*\}\),/g,
    /withGlobalClasses && .*jsx\(MantineClasses, \{\}\),/g,
  ],
  'core/MantineProvider/default-colors': [/^\t(?!blue)\w+: \[\n(\t\t"#\w+",?\n)+\t\],?\n/gm],
};
/** Palettes that neither we nor Mantine's other variables use, each in 21 declarations. */
const PALETTES = 'pink|grape|violet|indigo|cyan|lime|yellow|orange';
/** Whether a variable of the theme is of a palette that nothing uses. */
export const isUnusedVariable = (name: string): boolean =>
  new RegExp(`^--mantine-color-(${PALETTES})-`).test(name);
const UNUSED_VARIABLES = new RegExp(`^  --mantine-color-(${PALETTES})-[\\w-]+:[^;]+;\\n`, 'gm');
const VARIABLES = /[\\/]@mantine[\\/]core[\\/]styles[\\/]default-css-variables\.css$/;
const MODULE = /[\\/]@mantine[\\/]core[\\/]esm[\\/](.+)\.mjs$/;

/** Our palettes are in src/app/theme.ts. */
const USES = [
  /<(Button|BusyButton|ActionIcon|CloseButton|TextInput|Textarea|NativeSelect|Checkbox|Switch|Chip)\b(?:=>|[^>])*?\s(m[trblxyse]?|p[trblxyse]?|w|miw|maw|h|mih|mah|bg|c|f[fzw]|l[ht]s?|t[atd]|pos|display|flex|bd|bdrs)=/,
  /<(Button|ActionIcon|TextInput|Textarea|NativeSelect)\b(?:=>|[^>])*?\sloading\b/,
  /\b(Button|ActionIcon)\.Group/,
  new RegExp(`--mantine-color-(${PALETTES})-`),
  /\bcolor="(red|pink|grape|violet|indigo|cyan|teal|lime|yellow|orange)\b/,
];

/**
 * A module of Mantine without what is `UNUSED`; undefined for one that stays as it is. Throws where a module of ours does use it, or
 * where Mantine is written in another way.
 */
export function leanModule(code: string, id: string): string | undefined {
  if (!id.includes('node_modules')) {
    const used = USES.flatMap((use) => use.exec(code)?.[0] ?? []);
    if (used.length > 0)
      throw new Error(`${id} uses what vite/lean-mantine.ts leaves out of the build: ${used[0]}`);
    return undefined;
  }
  if (VARIABLES.test(id)) return withoutAll(code, [UNUSED_VARIABLES], id);
  const module = MODULE.exec(id)?.[1]?.replaceAll('\\', '/');
  const unused = module === undefined ? undefined : UNUSED[module];
  return unused && withoutAll(code, unused, id);
}

function withoutAll(code: string, unused: readonly RegExp[], id: string): string {
  return unused.reduce((lean, statements) => {
    const without = lean.replace(statements, '');
    if (without === lean) throw new Error(`${id} is not written as vite/lean-mantine.ts reads it`);
    return without;
  }, code);
}

/** Leaves what is `UNUSED` out of the build, with what that needs, such as transitions: 5 KB (gzip) of each first load. */
export function leanMantine(): Plugin {
  return {
    name: 'pulso:lean-mantine',
    apply: 'build',
    transform: { order: 'pre', filter: { id: /\.(tsx|mjs|css)$/ }, handler: leanModule },
  };
}
