import { readFile } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { OUTSIDE, UNUSED } from './bundling/outside.mjs';
import { programsOf } from './bundling/programs.mjs';

/**
 * `node tools/bundle.mjs` in the folder of a built package: writes each of its programs as one file of all its modules to
 * `bundle`, with what several of them share, or load late, in `bundle/chunks` (docs/adr/0013-one-file-a-program.md).
 */
const folder = process.cwd();
const programs = programsOf(folder);
if (Object.keys(programs).length === 0) throw new Error(`${folder} has no program to bundle`);

const isOf = (/** @type {object} */ packages, /** @type {string} */ id) =>
  Object.hasOwn(packages, /^(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? '');

const bundle = await rolldown({
  cwd: folder,
  platform: 'node',
  input: programs,
  // Another package may have brought what one asks for in vain.
  external: (id, importer = '') =>
    isOf(OUTSIDE, id) || (isOf(UNUSED, id) && /[\\/]node_modules[\\/]/.test(importer)),
  plugins: [mapsOfCompiler(), requireOfModules(), throwingCalls(), latin1Only()],
  onLog(level, log, report) {
    if (log.code === 'UNRESOLVED_IMPORT') {
      if (isOf(UNUSED, log.exporter ?? '')) return;
      throw new Error(log.message);
    }
    report(level, log);
  },
});
await bundle.write({
  dir: 'bundle',
  format: 'esm',
  cleanDir: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // Nest and TypeORM name things by their classes.
  keepNames: true,
  // `reflect-metadata` must run before the first decorator, whichever chunk that is in.
  strictExecutionOrder: true,
  sourcemap: true,
  sourcemapExcludeSources: true,
  comments: { legal: true, annotation: false, jsdoc: false },
});

/** The maps that swc wrote, so that those of the bundles lead to TypeScript. */
function mapsOfCompiler() {
  return {
    name: 'pulso:maps-of-compiler',
    load: {
      filter: { id: { include: /[\\/]dist[\\/].+\.js$/, exclude: /[\\/]node_modules[\\/]/ } },
      async handler(/** @type {string} */ id) {
        const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
        return { code, map };
      },
    },
  };
}

/** Modules that make themselves a `require`, which would load a second copy of a package beside the one in the bundle. */
function requireOfModules() {
  return {
    name: 'pulso:require-of-modules',
    transform: {
      filter: { id: /node_modules/, code: 'const require = createRequire(import.meta.url);' },
      handler: (/** @type {string} */ code) => ({
        // As long as before, so that positions stay.
        code: code.replace(/const require = createRequire\(import\.meta\.url\);/, (line) =>
          ' '.repeat(line.length),
        ),
        map: null,
      }),
    },
  };
}

/**
 * Keeps `decodeURIComponent(text);`, which is there to throw. The bundler takes it and `encodeURIComponent` for calls that have no
 * effect, and leaves out those whose result is not used.
 */
function throwingCalls() {
  // Not a method of this name, whose body follows.
  const statement = /(?<=[;{}]\s*)(?:de|en)codeURI(?:Component)?\((?![^()]*\)\s*\{)/g;
  return {
    name: 'pulso:throwing-calls',
    transform: {
      filter: { code: /codeURI/ },
      handler: (/** @type {string} */ code) =>
        code.search(statement) < 0
          ? null
          : { code: code.replace(statement, (call) => `globalThis.${call}`), map: null },
    },
  };
}

/**
 * Writes characters beyond Latin-1 as escapes: V8 keeps a file that has one of them with two bytes for each of its characters. They stand
 * in texts and regular expressions, where an escape means the same. Only columns of such lines move in the maps.
 */
function latin1Only() {
  const escape = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'pulso:latin1-only',
    generateBundle(/** @type {unknown} */ _options, /** @type {import('rolldown').OutputBundle} */ files) {
      for (const file of Object.values(files))
        if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\xff]/g, escape);
    },
  };
}
