import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = join(import.meta.dirname, '../src');
const RENDERED = /load: \(\) => import\('\.\.\/pages\/([\w-]+)\.js'\),(?:\s+plain: true,)?\s+rendered: true/g;

/** What is rendered although its code is loaded apart, beside the pages. */
const RENDERED_PARTS = [
  'server/queries/queries.tsx',
  'features/posts/pictures/blur.tsx',
  'features/posts/players/post-video.tsx',
  'pages/parts/landing-glimpse.tsx',
  'app/shell/side-column.tsx',
];

/** The modules of the pages that the server renders, as `pages.ts` says. */
export const renderedPages = (source: string): string[] =>
  [...source.matchAll(RENDERED)].map(([, name]) => `pages/${name}.tsx`);

const NOT_RENDERED = '\0pulso:not-rendered';

/**
 * For the build of src/render.tsx: a module with a `.server.ts` beside it is that one there, and what only a press or a member
 * loads is left out.
 */
export function serverForm(): Plugin {
  let loaded: Set<string>;
  return {
    name: 'pulso:server-form',
    buildStart() {
      const pages = renderedPages(readFileSync(join(SOURCE, 'app/pages.ts'), 'utf8'));
      if (pages.length === 0) throw new Error('pages.ts is not written as server-form.ts reads it');
      loaded = new Set([...pages, ...RENDERED_PARTS].map((module) => join(SOURCE, module)));
    },
    resolveId: {
      order: 'pre',
      handler(source, importer) {
        if (source === NOT_RENDERED) return NOT_RENDERED;
        if (!importer?.startsWith(SOURCE) || !/^\..*\.js$/.test(source)) return undefined;
        const path = resolve(dirname(importer), source).replace(/\.js$/, '');
        return [`${path}.server.ts`, `${path}.server.tsx`].find((file) => existsSync(file));
      },
    },
    resolveDynamicImport: {
      order: 'pre',
      handler(source, importer) {
        if (typeof source !== 'string' || !importer?.startsWith(SOURCE)) return undefined;
        const path = resolve(dirname(importer), source).replace(/\.js$/, '');
        return loaded.has(`${path}.tsx`) || loaded.has(`${path}.ts`) ? undefined : NOT_RENDERED;
      },
    },
    load(id) {
      return id === NOT_RENDERED ? 'export default undefined;' : undefined;
    },
  };
}
