import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { pagesOf } from './page-links.js';

const page = (...more: string[]) =>
  [
    '  {',
    "    path: '/terms',",
    "    audience: 'everyone',",
    "    load: () => import('../pages/terms-page.js'),",
    ...more.map((line) => `    ${line},`),
    '  },',
  ].join('\n');

const modulesOf = (source: string) =>
  pagesOf(source).map(({ modules }) => modules.map((module) => module.replace(/.*\/src\//, '')));

// Rule: UI-59
describe('the scripts that the answer for a page names', () => {
  it('are its own and those of queries', () =>
    expect(modulesOf(page())).toEqual([['pages/terms-page.tsx', 'server/queries/queries.tsx']]));

  it('are its own where it is plain', () =>
    expect(modulesOf(page('plain: true'))).toEqual([['pages/terms-page.tsx']]));

  it.each([
    ['load is not the third key', page().replace('audience', "title: 'Terms',\n    audience")],
    ['plain does not follow load', page("early: ({ ask }) => ask('/api/terms')", 'plain: true')],
  ])('are not guessed where %s', (_, source) =>
    expect(() => pagesOf(source)).toThrow('pages.ts is not written as page-links.ts reads it'),
  );
});

// Rule: UI-1
it('every path is listed for the gateway, which answers 404 at others, except the mere beginnings of paths', () => {
  const source = readFileSync(new URL('../src/app/pages.ts', import.meta.url), 'utf8');
  const listed = pagesOf(source).map(({ path }) => path);
  const all = [...source.matchAll(/path: '([^']*)'/g)].map(([, path]) => path!);
  expect(all.filter((path) => !listed.includes(path)).sort()).toEqual(['*', '/coach', '/post']);
});
