import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { leanModule } from './lean-mantine.js';

const MANTINE = join(dirname(createRequire(import.meta.url).resolve('@mantine/core')), '..');
const module = (path: string) => join(MANTINE, 'esm', path);
const lean = (path: string) => leanModule(readFileSync(module(path), 'utf8'), module(path));

describe('Mantine in the build', () => {
  it('is without what nothing here uses', () => {
    for (const component of ['Button', 'ActionIcon']) {
      const code = lean(`components/${component}/${component}.mjs`);
      expect(code).toContain(`export { ${component} }`);
      expect(code).not.toMatch(/\bTransition\b/);
      expect(code).not.toContain('.Group =');
    }
    expect(lean('components/Input/Input.mjs')).not.toContain('jsx(Loader');
    expect(lean('core/Box/Box.mjs')).toMatch(/parsedStyleProps = \(\{\s+styleProps,\s+theme\s+\}\);/);
    expect(lean('core/MantineProvider/default-colors.mjs')?.match(/^\t\w+: \[/gm)).toEqual(['\tblue: [']);
  });

  it('has no variables of palettes that nothing uses, and all that others are made of', () => {
    const path = join(MANTINE, 'styles/default-css-variables.css');
    const css = readFileSync(path, 'utf8');
    const without = leanModule(css, path)!;
    const read = new Set([...without.matchAll(/var\((--mantine-color-[\w-]+)/g)].map(([, name]) => name));
    const has = new Set([...without.matchAll(/^\s*(--mantine-color-[\w-]+):/gm)].map(([, name]) => name));
    expect([...read].filter((name) => !has.has(name))).toEqual([]);
    expect(without).not.toContain('--mantine-color-violet');
    expect(without.length).toBeLessThan(css.length - 8 * 21 * 30);
  });

  it('is otherwise as it was', () => {
    expect(lean('components/Tabs/Tabs.mjs')).toBeUndefined();
  });

  it('stops the build when it is written in another way', () => {
    expect(() => leanModule('export const Box = 1;', module('core/Box/Box.mjs'))).toThrow(/not written as/);
  });

  it.each([
    '<Button variant="subtle" loading={busy}>Save</Button>',
    '<Button.Group>',
    '<Switch mt="md" label="On" />',
    '<BusyButton label="Send" w={200} />',
    '<Button onClick={() => save()} mt="md">Save</Button>',
    '<Button color="red">Delete</Button>',
    '.late { color: var(--mantine-color-orange-6); }',
  ])('stops the build where a module of ours has %s', (code) => {
    expect(() => leanModule(code, '/src/components/some.tsx')).toThrow(/leaves out of the build/);
  });

  it('lets our other components be', () => {
    const code =
      '<img loading="lazy" /> <Button variant="default" color="gray" className={classes.mt}>Back</Button>';
    expect(leanModule(code, '/src/components/some.tsx')).toBeUndefined();
  });
});
