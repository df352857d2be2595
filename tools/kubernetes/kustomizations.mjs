import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from '../prepare.mjs';
import { documentsOf } from './render.mjs';

const FOLDER = 'deploy/kubernetes';
const FILE = 'kustomization.yaml';

/** All kustomizations of deploy/kubernetes, by their folders from the repository's root. @returns {Record<string, any>} */
export function kustomizations() {
  const files = readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => posix.basename(path) === FILE);
  return Object.fromEntries(
    files.sort().map((path) => {
      const folder = posix.join(FOLDER, dirname(path));
      return [folder, documentsOf(readFileSync(join(root, folder, FILE), 'utf8'))[0]];
    }),
  );
}

/**
 * The folders of kustomizations that none of `roots` leads to.
 *
 * @param {Record<string, any>} all by their folders @param {readonly string[]} roots
 */
export function unusedKustomizations(all, roots) {
  const reached = new Set(roots);
  for (const folder of reached) {
    const { resources = [], components = [] } = all[folder] ?? {};
    for (const path of [...resources, ...components]) reached.add(posix.join(folder, path));
  }
  return Object.keys(all).filter((folder) => !reached.has(folder));
}
