import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Those of `npm start`, `npm run operate` and `npm run start:cluster`, whose files have other names. */
const OF_LAUNCHER = {
  'launcher/main': 'dist/launcher/main.js',
  'launcher/operate': 'dist/launcher/operate.js',
  'launcher/cluster': '../../tools/cluster/run-cluster.mjs',
  'document-store/main': 'dist/document-store/main.js',
  // Where media, which is in the launcher's bundle, looks for it.
  'picture-main': '../../services/media/dist/picture-main.js',
};

/**
 * The programs of a package: the file in the package that each begins with, by its name, such as `cli/main`. The one to run is
 * `bundle/<name>.js`. None if other packages only import it.
 *
 * @param {string} folder of the package
 * @returns {Record<string, string>}
 */
export function programsOf(folder) {
  const sources = join(folder, 'src');
  if (existsSync(join(sources, 'launcher'))) return OF_LAUNCHER;
  const processes = namesIn(sources).filter((name) => /^(.+-)?main$/.test(name));
  const commands = namesIn(join(sources, 'cli')).map((name) => `cli/${name}`);
  return Object.fromEntries([...processes, ...commands].map((name) => [name, `dist/${name}.js`]));
}

/** @param {string} folder */
function namesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => /^([a-z-]+)\.ts$/.exec(file)?.slice(1) ?? []);
}
