import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rollup } from 'vite';

const SOURCE = join(import.meta.dirname, '../src');
const PAGE =
  /path: '([^']+)',\s+audience: '(\w+)',\s+load: \(\) => import\('\.\.\/pages\/([\w-]+)\.js'\)(,\s+plain: true)?/g;

/** Of the texts of the interface; those in other alphabets load theirs when they are shown. */
const FONT = /figtree-latin-wght-normal.*\.woff2$/;

interface LinkedPage {
  path: string;
  /** The modules that its code consists of, with what these import. */
  modules: string[];
}

/** The pages of src/app/pages.ts with their modules. Throws where it cannot read one, or whether it is plain. */
export function pagesOf(source: string): LinkedPage[] {
  const pages = [...source.matchAll(PAGE)].map(([, path, audience, name, plain]) => {
    const modules = [
      `pages/${name}.tsx`,
      ...(plain ? [] : ['server/queries/queries.tsx']),
      ...(audience === 'members' ? ['app/shell/members.tsx'] : []),
    ];
    return { path: path!, name, plain, modules: modules.map((module) => join(SOURCE, module)) };
  });
  const loaded = new Set(
    [...source.matchAll(/import\('\.\.\/pages\/([\w-]+)\.js'\)/g)].map(([, name]) => name!),
  );
  loaded.delete('not-found-page');
  const found = new Set(pages.map(({ name }) => name));
  const isRead =
    found.size === loaded.size &&
    pages.filter(({ plain }) => plain).length === source.split('plain: true').length - 1;
  if (!isRead) throw new Error('pages.ts is not written as page-links.ts reads it');
  return pages;
}

/** As HTML names them; a preload is used only by what asks in the same way. */
const linkTo = (name: string): string => {
  if (name.endsWith('.woff2')) return `</${name}>; rel=preload; as=font; type="font/woff2"; crossorigin`;
  if (name.endsWith('.css')) return `</${name}>; rel=preload; as=style; crossorigin`;
  if (name.endsWith('.woff2')) return `</${name}>; rel=preload; as=font; type="font/woff2"; crossorigin`;
  return name.includes('color-scheme')
    ? `</${name}>; rel=preload; as=script`
    : `</${name}>; rel=modulepreload`;
};

/**
 * Writes page-links.json: the `Link` header of each page, by the page's path. The gateway sends it, so that a browser loads
 * the scripts of the page beside those that run first, and not after these have run (UI-59). Those that run first come
 * first: over HTTP/1.1 a browser asks for six files at once.
 */
export function pageLinks(): Plugin {
  return {
    name: 'pulso:page-links',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const chunks = files.filter((file) => file.type === 'chunk');
        const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        const withImports = (chunk: Rollup.OutputChunk, all = new Set<string>()): Set<string> => {
          if (!all.has(chunk.fileName)) {
            all.add(chunk.fileName);
            for (const name of chunk.imports) withImports(named.get(name)!, all);
          }
          return all;
        };
        const chunkOf = (module: string) => chunks.find(({ moduleIds }) => moduleIds.includes(module))!;
        const assets = files.flatMap((file) => (file.type === 'asset' ? [file.fileName] : []));
        const first = [
          ...assets.filter((name) => /color-scheme.*\.js$/.test(name)),
          ...withImports(chunkOf(join(SOURCE, 'boot.ts'))),
          ...assets.filter((name) => name.endsWith('.css')),
          ...assets.filter((name) => FONT.test(name)),
          ...withImports(chunkOf(join(SOURCE, 'main.tsx'))),
        ];
        // The letters of most texts: shown in another font first, the text would move.
        const fonts = assets.filter((name) => /figtree-latin-wght.*\.woff2$/.test(name));
        const members = chunkOf(join(SOURCE, 'app/shell/members.tsx')).fileName;
        const pages = pagesOf(readFileSync(join(SOURCE, 'app/pages.ts'), 'utf8')).map(({ path, modules }) => {
          // A page is shown without them. What both use is in `query` of chunk-groups.ts.
          if (withImports(chunkOf(modules[0]!)).has(members))
            throw new Error(`${modules[0]} imports the chunk of members`);
          const names = new Set([
            ...first,
            ...modules.flatMap((module) => [...withImports(chunkOf(module))]),
            ...fonts,
          ]);
          return [path, [...names].map(linkTo).join(', ')];
        });
        this.emitFile({
          type: 'asset',
          fileName: 'page-links.json',
          source: JSON.stringify(Object.fromEntries(pages)),
        });
      },
    },
  };
}
