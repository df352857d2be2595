import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Those of `npm start`, whose files have other names. */
const OF_LAUNCHER = ['launcher/main', 'launcher/operate', 'document-store/main'];

/**
 * The programs of a package, by the paths of their sources in `src` without the ending, such as `cli/main`. The file to run is
 * `bundle/<path>.js` of the package. None if other packages only import it.
 *
 * @param {string} folder of the package
 * @returns {string[]}
 */
export function programsOf(folder) {
  const sources = join(folder, 'src');
  if (existsSync(join(sources, 'launcher'))) return OF_LAUNCHER;
  const processes = namesIn(sources).filter((name) => /^(.+-)?main$/.test(name));
  return [...processes, ...namesIn(join(sources, 'cli')).map((name) => `cli/${name}`)];
}

/** @param {string} folder */
function namesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => /^([a-z-]+)\.ts$/.exec(file)?.slice(1) ?? []);
}
