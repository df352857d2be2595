import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { forgetTiers } from './chunk-groups.js';

/** Writes .br and .gz beside each text file; the gateway sends those rather than compress for every visitor. */
export function compressed(): Plugin {
  return {
    name: 'pulso:compressed',
    apply: 'build',
    writeBundle({ dir }) {
      if (!dir) return;
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const content = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(content));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

/** Loads the app beside src/boot.ts, which imports it once it runs. */
export function preloadedApp(): Plugin {
  return {
    name: 'pulso:preloaded-app',
    apply: 'build',
    buildStart: forgetTiers,
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const app = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/src/main.tsx')));
        if (!app) throw new Error('src/main.tsx has no chunk of its own');
        return [app.fileName, ...app.imports].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head' as const,
        }));
      },
    },
  };
}

/**
 * Names color-scheme.js by its content, so that browsers keep it like every other script: it runs before the page is parsed
 * on, and asking whether it has changed would hold each load for a round trip.
 */
export function hashedColorScheme(): Plugin {
  const name = 'color-scheme.js';
  return {
    name: 'pulso:hashed-color-scheme',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', name, source: readFileSync(join(import.meta.dirname, '..', name)) });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const asset = Object.values(bundle).find(
          (file) => file.type === 'asset' && file.names.includes(name),
        );
        if (!asset || !html.includes(`src="/${name}"`))
          throw new Error(`index.html or the build lacks ${name}`);
        return html.replace(`src="/${name}"`, `src="/${asset.fileName}"`);
      },
    },
  };
}

/**
 * Lets the build leave out the parts of React Router that nothing uses, such as its forms: it marks what makes them as free of
 * side effects, and drops their names for React's developer tools.
 */
export function leanRouter(): Plugin {
  return {
    name: 'pulso:lean-router',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]node_modules[\\/]react-router[\\/]/ },
      handler: (code) =>
        code
          .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
          .replace(/ = (React\d*\.(?:forwardRef|createContext|memo)\()/g, ' = /* @__PURE__ */ $1'),
    },
  };
}
