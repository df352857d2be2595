import { rolldown } from 'rolldown';

/**
 * `node tools/bundle-job.mjs <entry> <file>`: writes a program of TypeScript and all that it imports as one file. Unlike
 * `tools/bundle.mjs` it reads the sources: nothing has to be built before.
 */
const [input, file] = process.argv.slice(2);
if (!input || !file) throw new Error('Usage: node tools/bundle-job.mjs <entry> <file>');

const bundle = await rolldown({
  input,
  platform: 'node',
  resolve: {
    conditionNames: ['source', 'import', 'node', 'default'],
    extensionAlias: { '.js': ['.ts', '.js'] },
  },
  // What CommonJS has, and a module has not.
  transform: { define: { __dirname: 'import.meta.dirname' } },
  onLog(level, log, report) {
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    report(level, log);
  },
});
await bundle.write({ file, format: 'esm', sourcemap: true, codeSplitting: false });
